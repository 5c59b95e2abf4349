const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8, or returns undefined if it is invalid. A byte order mark is kept as a character (RFC 8259 §8.1). */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Joins byte arrays, like Buffer.concat, but also without Node. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** The number of arguments that every engine accepts in a call. */
const most = 8_192;

/** Decodes bytes to one character each, U+0000 to U+00FF. */
export function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += most) {
    // TextDecoder treats "latin1" as windows-1252 (Encoding Standard §4.2), which has other characters.
    text += String.fromCharCode(...bytes.subarray(start, start + most));
  }
  return text;
}

/**
 * Decodes bytes to a text that can be displayed, copied and pasted unchanged. Returns undefined if they are not UTF-8,
 * or contain control, format or unassigned characters or line ends.
 */
export function printableText(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  return text !== undefined && /^[^\p{C}\p{Zl}\p{Zp}]*$/u.test(text) ? text : undefined;
}

const isNarrow = /^[\0-\u00FF]*$/u;
const encoder = new TextEncoder();

/** Encodes a text for a header: one byte per character if possible, else UTF-8. */
export function textBytes(text: string): Uint8Array {
  if (!isNarrow.test(text)) return encoder.encode(text);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    bytes[index] = text.charCodeAt(index);
  }
  return bytes;
}

/** Decodes the credentials of basic authentication (RFC 7617 §2); undefined if they are not a text in Base64. */
export function decodeBasic(text: string): string | undefined {
  try {
    return decodeUtf8(Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
