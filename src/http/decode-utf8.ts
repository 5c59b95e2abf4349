const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes bytes as UTF-8, strictly, a byte order mark kept as a character (RFC 8259 §8.1).
 *
 * @returns undefined where the bytes are no UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
