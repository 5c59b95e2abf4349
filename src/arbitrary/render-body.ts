import type { Body } from './body.ts';
import type { KeySlot } from './key-slot.ts';

const encoder = new TextEncoder();

/**
 * Makes the bytes of a content.
 *
 * @param keys - the JSON text of the key that a slot stands for
 */
export function renderBody(parts: Body, keys: (slot: KeySlot) => string): Uint8Array {
  const pieces = parts.map((part) => {
    if (part instanceof Uint8Array) {
      return part;
    }
    return encoder.encode(typeof part === 'string' ? part : keys(part));
  });
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}
