import { decodePathText } from './query.ts';

/** Matches characters that need no percent-encoding (RFC 3986 §2.3). */
const unreserved = /[\w.~-]/u;

/** Decodes characters that need no percent-encoding, which makes equivalent paths equal (RFC 3986 §6.2.2.2). */
export function normalizePath(path: string): string {
  return path.includes('%')
    ? path.replaceAll(/%([2-7][\dA-F])/giu, (encoded, hex: string) => {
        const character = String.fromCharCode(Number.parseInt(hex, 16));
        return unreserved.test(character) ? character : encoded;
      })
    : path;
}

/**
 * Returns one spelling for all paths that name the same place. Each segment is decoded if possible, and encoded again
 * except for unreserved characters (RFC 3986 §2.3).
 */
export function canonicalPath(path: string): string {
  if (/^[\w.~/-]*$/u.test(path)) return path;
  return path
    .split('/')
    .map((segment) => encodeSegment(decodePathText(segment)))
    .join('/');
}

/** Percent-encodes a text (RFC 3986 §2.1). Replaces lone surrogates, for which encodeURIComponent would throw. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}

/** Returns the path of a base URL without trailing slashes: the prefix of each request target. */
export function pathPrefix(baseUrl: URL): string {
  return baseUrl.pathname.replace(/\/+$/u, '');
}

/** Returns the raw path of a request target without its query, also of an absolute URL (RFC 9112 §3.2). */
export function pathOf(target: string): string {
  const local = target.charCodeAt(0) === 0x2f ? target : toOriginForm(target);
  const query = local.indexOf('?');
  const path = query === -1 ? local : local.slice(0, query);
  return path === '' ? '/' : path;
}

const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/iu;

/**
 * Converts a request target to origin form (RFC 9112 §3.2.1). A client that uses it as its proxy sends it in
 * absolute form (§3.2.2). A target in neither form, such as `*`, is unchanged.
 */
export function toOriginForm(target: string): string {
  const [start] = origin.exec(target) ?? [];
  if (start === undefined) return target;
  const rest = target.slice(start.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
