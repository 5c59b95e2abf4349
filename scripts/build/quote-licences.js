import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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
  const own = listTexts(folder);
  const texts = own.length === 0 && license === 'Apache-2.0' ? [readApacheLicence()] : own;
  if (texts.length === 0) {
    throw new Error(
      `Failed to bundle "${name}": it comes without the text of its licence. Move it to the dependencies in package.json.`,
    );
  }
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

function listTexts(folder) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/iu.test(file));
  return files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
}

/** The Apache License names nobody: its text is the same in every package, and some come without it. */
function readApacheLicence() {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  return readFileSync(join(dirname(manifest), 'LICENSE.txt'), 'utf8').trim();
}
