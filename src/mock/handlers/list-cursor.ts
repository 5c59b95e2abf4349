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

/**
 * Writes a cursor as a text that clients cannot read anything into: base64url (RFC 4648 §5).
 *
 * @param scope - the list and its order, in any words; no list of another scope takes the text
 */
export function writeCursor(scope: string, { direction, position, values }: Cursor): string {
  const text = stringifyJson([direction === 'before' ? 1 : 0, position, ...values]);
  const bytes = new TextEncoder().encode(checksum(scope + text) + text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '');
}

/** Reads what writeCursor wrote; undefined where it was made for another scope, changed, or is something else. */
export function readCursor(scope: string, token: string): Cursor | undefined {
  if (!/^[\w-]+$/u.test(token) || token.length % 4 === 1) return undefined;
  const binary = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
  const text = new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  const content = text.slice(checksumLength);
  if (text.slice(0, checksumLength) !== checksum(scope + content)) return undefined;
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
