import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';

/** A place in a list: behind or before an item, which may be gone by now. */
export interface Cursor {
  readonly direction: 'after' | 'before';
  /** Of the item in its collection. */
  readonly position: number;
  /** What the list is sorted by, of the item; empty where it is in the order in which its items came. */
  readonly values: readonly JsonValue[];
}

/** What a token begins with; whatever stands before it is none of it. */
const mark = 'zz';

/**
 * Writes a cursor as a text that clients cannot read anything into, of letters and digits alone and of a length that
 * divides by four: the patterns of most documents take it, base64 among them.
 *
 * @param scope - the list and its order, in any words; no list of another scope takes the text
 */
export function writeCursor(scope: string, { direction, position, values }: Cursor): string {
  const text = stringifyJson([direction === 'before' ? 1 : 0, position, ...values]);
  const bytes = new TextEncoder().encode(text);
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // White space behind it is no part of a JSON text.
  const padding = bytes.length % 2 === 0 ? '20' : '';
  return mark + checksum(scope + text) + digits + padding;
}

/**
 * Reads what writeCursor wrote, whatever stands before it; undefined where it was made for another scope, changed, or is
 * something else.
 */
export function readCursor(scope: string, token: string): Cursor | undefined {
  const found = token.slice(token.lastIndexOf(mark) + mark.length);
  const digits = found.slice(checksumLength);
  if (!token.includes(mark) || !/^(?:[\da-f]{2})+$/u.test(digits)) return undefined;
  const bytes = Uint8Array.from(digits.match(/../gu) ?? [], (each) => Number.parseInt(each, 16));
  const content = new TextDecoder().decode(bytes).trimEnd();
  if (found.slice(0, checksumLength) !== checksum(scope + content)) return undefined;
  const read = parseJson(content, { explains: false });
  if (read.kind !== 'json' || !Array.isArray(read.value)) return undefined;
  const [direction, position, ...values] = read.value;
  if (typeof position !== 'number') return undefined;
  return { direction: direction === 1 ? 'before' : 'after', position, values };
}

const checksumLength = 8;

/** FNV-1a, 32 bits: it finds what was changed by mistake, and guards no secret. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(checksumLength, '0');
}
