/**
 * What stands before the target of each request to a base URL: its path without the slashes at the end.
 *
 * @returns an empty string for a base URL without a path
 */
export function pathPrefix(baseUrl: URL): string {
  return baseUrl.pathname.replace(/\/+$/u, '');
}
