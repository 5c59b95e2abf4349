import { type JsonPointer, pointerTokens } from '../../json/json-pointer.ts';

/** What a quoted name may not hold as it is (RFC 9535 §2.3.1.1). */
const control = /\p{Cc}/gu;

function quote(name: string): string {
  const escaped = name
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `['${escaped}']`;
}

/**
 * The JSONPath that selects the place of a pointer and no other (RFC 9535 §2.3).
 *
 * @example
 * toJsonPath('/paths/~1orders/post'); // $.paths['/orders'].post
 */
export function toJsonPath(pointer: JsonPointer): string {
  const segments = pointerTokens(pointer).map((token) => {
    return /^[A-Za-z_]\w*$/u.test(token) ? `.${token}` : quote(token);
  });
  return `$${segments.join('')}`;
}
