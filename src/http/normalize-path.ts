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
