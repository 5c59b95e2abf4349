// Writes llms.txt (https://llmstxt.org/), llms-full.txt and the Markdown of each page into dist/.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles, sections } from './pages.js';
import { description, findInRepository, homepage } from './repository.js';

/**
 * Writes the texts for language models.
 *
 * @param pages the folder with the Markdown of the pages
 * @param dist the folder of the built site
 */
export function writeTexts(pages, dist) {
  // The list of pages has the index of the API only, which links to a page for each module.
  const api = readdirSync(join(pages, 'api'), { recursive: true })
    .map((name) => `api/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md'));
  const texts = [...new Set([...listFiles(), ...api])].map((file) => ({
    file,
    text: linkPages(readFileSync(join(pages, file), 'utf8'), file),
  }));
  for (const { file, text } of texts) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    writeFileSync(join(dist, file), text);
  }
  writeFileSync(join(dist, 'llms.txt'), renderIndex());
  // The API is as long as all other pages together, and generated from the types that the package has.
  const whole = texts.filter(({ file }) => !file.startsWith('api/'));
  writeFileSync(
    join(dist, 'llms-full.txt'),
    whole.map(({ file, text }) => `<!-- ${homepage}${file} -->\n\n${text.trim()}\n`).join('\n'),
  );
}

/** Points links to files outside of docs/ to the repository. */
function linkPages(text, file) {
  return text.replaceAll(/\]\(([^)\s]+)\)/gu, (whole, href) => {
    const url = findInRepository(href, file);
    return url === undefined ? whole : `](${url})`;
  });
}

function renderIndex() {
  const parts = sections.flatMap(({ title, pages }) => [
    '',
    `## ${title}`,
    '',
    ...pages.map(([text, file, about]) => `- [${text}](${homepage}${file}): ${about}`),
  ]);
  return `${[
    '# Cloche',
    '',
    `> ${description}`,
    '',
    '`cloche mock` serves a stateful mock of an OpenAPI document, `cloche test` checks whether a service does what the document says, and',
    '`cloche learn` records the behaviour that the document leaves open. Cloche runs on Node 20.19 or later, from the npm package `cloche`.',
    `[All pages in one file](${homepage}llms-full.txt).`,
    ...parts,
  ].join('\n')}\n`;
}
