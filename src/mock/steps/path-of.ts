const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/iu;

/**
 * The path of a request target, as it was sent, without its query: of the origin form, or of a whole URL
 * (RFC 9112 §3.2).
 */
export function pathOf(target: string): string {
  const local = target.charCodeAt(0) === 0x2f ? target : target.replace(absolute, '');
  const query = local.indexOf('?');
  const path = query === -1 ? local : local.slice(0, query);
  return path === '' ? '/' : path;
}
