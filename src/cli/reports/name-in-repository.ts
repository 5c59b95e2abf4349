import { isAbsolute, relative, resolve, sep } from 'node:path';

/**
 * What a repository calls a file.
 *
 * @param root - the folder of the repository
 * @returns undefined for a URL, for a file out of the folder, and for one of an installed package
 *
 * @example
 * nameInRepository('api/openapi.yaml', '/home/me/shop'); // 'api/openapi.yaml' in /home/me/shop
 */
export function nameInRepository(file: string, root: string): string | undefined {
  if (/^https?:/iu.test(file)) {
    return undefined;
  }
  const name = relative(resolve(root), resolve(file));
  const isOutside = name === '' || isAbsolute(name) || name.split(sep)[0] === '..';
  return isOutside || name.split(sep).includes('node_modules') ? undefined : name.replaceAll(sep, '/');
}
