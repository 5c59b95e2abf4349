/** The pieces that content is cut into where it goes out in chunks or in several packets. */
const mostPieces = 4;

/**
 * Cuts content into up to four pieces of about one length, none of them empty. A cut may fall inside a
 * character: that is what a reader of a stream has to bear.
 *
 * @returns no piece for empty content
 */
export function splitContent(content: Uint8Array): Uint8Array[] {
  const size = Math.max(1, Math.ceil(content.length / mostPieces));
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < content.length; start += size) {
    pieces.push(content.subarray(start, start + size));
  }
  return pieces;
}
