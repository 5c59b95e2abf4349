/**
 * Writes a text in UTF-16, without a byte order mark.
 *
 * @returns two bytes for each code unit
 */
export function encodeUtf16(text: string, encoding: 'utf-16le' | 'utf-16be'): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index += 1) {
    view.setUint16(2 * index, text.charCodeAt(index), encoding === 'utf-16le');
  }
  return bytes;
}
