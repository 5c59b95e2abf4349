import { type JsonPointer, pointerTokens } from '../../json/json-pointer.ts';

/**
 * The JSONPath that selects the place of a pointer and no other (RFC 9535 §2.3).
 *
 * @example
 * toJsonPath('/paths/~1orders/post'); // $.paths['/orders'].post
 */
export function toJsonPath(pointer: JsonPointer): string {
  const segments = pointerTokens(pointer).map((token) => {
    if (/^[A-Za-z_]\w*$/u.test(token)) {
      return `.${token}`;
    }
    return `['${token.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}']`;
  });
  return `$${segments.join('')}`;
}
