import type { Body } from './body.ts';
import { encodeUtf16 } from './encode-utf16.ts';
import type { KeySlot } from './key-slot.ts';

const encoder = new TextEncoder();

/**
 * Makes the bytes of a content.
 *
 * @param keys - the JSON text of the key that a slot stands for
 */
export function renderBody(parts: Body, keys: (slot: KeySlot) => string): Uint8Array {
  const pieces: Uint8Array[] = [];
  let text = '';
  // Texts and the keys among them are encoded together: most bodies are one piece.
  function addBytes(bytes: Uint8Array | undefined): void {
    if (text !== '') {
      pieces.push(encoder.encode(text));
      text = '';
    }
    if (bytes !== undefined) {
      pieces.push(bytes);
    }
  }
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
    } else if (part instanceof Uint8Array) {
      addBytes(part);
    } else if (part.encoding === undefined) {
      text += keys(part);
    } else {
      addBytes(encodeUtf16(keys(part), part.encoding));
    }
  }
  addBytes(undefined);
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) {
    return only;
  }
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}
