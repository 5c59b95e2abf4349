import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** The description of the package. */
export const { description } = manifest;

/** Where the site is published, with a slash at the end. */
export const homepage = `${manifest.homepage ?? 'https://cloche-api.github.io/cloche/'}`
  .replace(/#.*$/u, '')
  .replace(/\/?$/u, '/');

/** The repository, for links to files that are not part of the site. */
export const source = 'https://github.com/cloche-api/cloche';

/**
 * Returns the URL in the repository for a link of a page that leaves docs/; undefined for any other link.
 *
 * @param href the link
 * @param page the file of the page, relative to docs/
 * @throws Error if there is no such file
 */
export function findInRepository(href, page) {
  if (!/^[\w.]/u.test(href) || href.includes(':')) return undefined;
  const [path] = href.split('#', 1);
  const target = posix.join('docs', posix.dirname(page), decodeURI(path));
  if (target.startsWith('docs/')) return undefined;
  if (!existsSync(fileURLToPath(new URL(target, root)))) {
    throw new Error(`Failed to link "${href}" in docs/${page}: there is no such file.`);
  }
  return `${source}/${target.endsWith('/') ? 'tree' : 'blob'}/main/${target}${href.slice(path.length)}`;
}
