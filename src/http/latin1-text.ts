/** So many arguments a call takes everywhere. */
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
