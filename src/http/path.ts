/** What needs no percent-encoding (RFC 3986 §2.3). */
const unreserved = /[\w.~-]/u;

/**
 * Decodes what need not have been percent-encoded, so that equivalent paths are one (RFC 3986 §6.2.2.2).
 *
 * @param path - without its query
 */
export function normalizePath(path: string): string {
  return path.includes('%')
    ? path.replaceAll(/%([2-7][\dA-F])/giu, (encoded, hex: string) => {
        const character = String.fromCharCode(Number.parseInt(hex, 16));
        return unreserved.test(character) ? character : encoded;
      })
    : path;
}

/**
 * What stands before the target of each request to a base URL: its path without the slashes at the end.
 *
 * @returns an empty string for a base URL without a path
 */
export function pathPrefix(baseUrl: URL): string {
  return baseUrl.pathname.replace(/\/+$/u, '');
}

/**
 * The path of a request target, as it was sent, without its query: of the origin form, or of a whole URL
 * (RFC 9112 §3.2).
 */
export function pathOf(target: string): string {
  const local = target.charCodeAt(0) === 0x2f ? target : toOriginForm(target);
  const query = local.indexOf('?');
  const path = query === -1 ? local : local.slice(0, query);
  return path === '' ? '/' : path;
}

/** The scheme and authority of a target in absolute form. */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/iu;

/**
 * The target of a request as an origin server wants it (RFC 9112 §3.2.1): a client that takes the proxy for one
 * of its own sends it in absolute form (§3.2.2).
 *
 * @returns what is in neither form, such as `*`, as it is
 */
export function toOriginForm(target: string): string {
  const [start] = origin.exec(target) ?? [];
  if (start === undefined) return target;
  const rest = target.slice(start.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
