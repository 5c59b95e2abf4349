import type { Redactor } from '../../http/create-redactor.ts';
import { decodeUtf8 } from '../../http/decode-utf8.ts';

/** How many bytes the first byte of a character says that it has (RFC 3629 §3). */
function lengthOf(first: number): number {
  if (first < 0xc2 || first > 0xf4) {
    return 1;
  }
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Where bytes are no UTF-8, each becomes a low surrogate, which no UTF-8 text holds. */
function decodeLeniently(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) {
      pieces.push(String.fromCharCode(first));
      at += 1;
      continue;
    }
    const length = lengthOf(first);
    const character = length === 1 ? undefined : decodeUtf8(bytes.subarray(at, at + length));
    pieces.push(character ?? String.fromCharCode(0xdc00 + first));
    at += character === undefined ? 1 : length;
  }
  return pieces.join('');
}

/**
 * The text of a body as a page may show it, `[secret]` in the place of each secret. A byte that is no UTF-8
 * is the low surrogate U+DC00 + byte.
 */
export function decodeForPage(bytes: Uint8Array, redactor: Redactor): string {
  return redactor.text(decodeUtf8(bytes) ?? decodeLeniently(bytes));
}
