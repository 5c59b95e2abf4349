import { decodePathText } from './query.ts';

/** What needs no percent-encoding (RFC 3986 §2.3). */
const unreserved = /[\w.~-]/u;

/** Decodes what need not be percent-encoded, so that equivalent paths are one (RFC 3986 §6.2.2.2). */
export function normalizePath(path: string): string {
  return path.includes('%')
    ? path.replaceAll(/%([2-7][\dA-F])/giu, (encoded, hex: string) => {
        const character = String.fromCharCode(Number.parseInt(hex, 16));
        return unreserved.test(character) ? character : encoded;
      })
    : path;
}

/**
 * One spelling for all that name one place: what stands between two slashes is decoded, where it can be, and encoded
 * anew, but for what is unreserved (RFC 3986 §2.3).
 */
export function canonicalPath(path: string): string {
  if (/^[\w.~/-]*$/u.test(path)) return path;
  return path
    .split('/')
    .map((segment) => encodeSegment(decodePathText(segment)))
    .join('/');
}

/** Percent-encodes a text (RFC 3986 §2.1); a lone surrogate has no UTF-8, and encodeURIComponent would throw. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}

/** The path of a base URL, without the slashes at its end: it stands before the target of each request. */
export function pathPrefix(baseUrl: URL): string {
  return baseUrl.pathname.replace(/\/+$/u, '');
}

/** The path of a request target, as it was sent, without its query, also of a whole URL (RFC 9112 §3.2). */
export function pathOf(target: string): string {
  const local = target.charCodeAt(0) === 0x2f ? target : toOriginForm(target);
  const query = local.indexOf('?');
  const path = query === -1 ? local : local.slice(0, query);
  return path === '' ? '/' : path;
}

const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/iu;

/**
 * The target of a request as an origin server wants it (RFC 9112 §3.2.1): a client that takes the proxy for
 * one of its own sends it in absolute form (§3.2.2). What is in neither form, such as `*`, stays.
 */
export function toOriginForm(target: string): string {
  const [start] = origin.exec(target) ?? [];
  if (start === undefined) return target;
  const rest = target.slice(start.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
