const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8, if it is that, a byte order mark kept as a character (RFC 8259 §8.1). */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Bytes one after another in one array, as a Buffer's concat does where there is one. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** So many arguments a call accepts everywhere. */
const most = 8_192;

/** Bytes as a text of one character each, U+0000 to U+00FF. */
export function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += most) {
    // TextDecoder takes "latin1" for windows-1252 (Encoding Standard §4.2), which has other characters.
    text += String.fromCharCode(...bytes.subarray(start, start + most));
  }
  return text;
}

/**
 * Bytes as the text they are, where that can be shown, copied and pasted as it is: undefined where they are
 * no UTF-8, or hold control, format or unassigned characters or the end of a line.
 */
export function printableText(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  return text !== undefined && /^[^\p{C}\p{Zl}\p{Zp}]*$/u.test(text) ? text : undefined;
}

const isNarrow = /^[\0-\u00FF]*$/u;
const encoder = new TextEncoder();

/** A text as it travels in a header: one byte a character where that is possible, UTF-8 where it is not. */
export function textBytes(text: string): Uint8Array {
  if (!isNarrow.test(text)) return encoder.encode(text);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    bytes[index] = text.charCodeAt(index);
  }
  return bytes;
}

/** Decodes the credentials of basic authentication (RFC 7617 §2); undefined if they are no text in Base64. */
export function decodeBasic(text: string): string | undefined {
  try {
    return decodeUtf8(Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
