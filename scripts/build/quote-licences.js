import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Quotes the licence of each package that has become part of the code, as those licences ask.
 *
 * @param {{ modules: string[] }[]} chunks - the bundled files
 * @returns {string} text
 * @throws Error for a package that comes without the text of its licence: it has to stay a dependency
 */
export function quoteLicences(chunks) {
  const folders = new Set(chunks.flatMap(({ modules }) => modules.flatMap(findPackageFolder)));
  const notices = [...folders].map(quoteLicence).toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
  const distinct = new Map(notices.map(({ title, text }) => [title, text]));
  const parts = [...distinct].map(([title, text]) => `${'-'.repeat(80)}\n${title}\n\n${text}\n`);
  return `The code of Cloche has parts of these packages in it.\n\n${parts.join('\n')}`;
}

/** The folder of the package that a file belongs to; none for a file of our own. */
function findPackageFolder(path) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/u.exec(path)?.[0] ?? [];
}

function quoteLicence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/iu.test(file));
  if (files.length === 0) {
    throw new Error(
      `Failed to bundle "${name}": it comes without the text of its licence. Move it to the dependencies in package.json.`,
    );
  }
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}
