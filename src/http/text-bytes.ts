const isNarrow = /^[\0-\u00FF]*$/u;
const encoder = new TextEncoder();

/** A text as it travels in a header: one byte a character where that is possible, UTF-8 where it is not. */
export function textBytes(text: string): Uint8Array {
  if (!isNarrow.test(text)) {
    return encoder.encode(text);
  }
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    bytes[index] = text.charCodeAt(index);
  }
  return bytes;
}
