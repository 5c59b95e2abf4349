/** Decodes a text of a path (RFC 3986 §2.1). What is no valid encoding is left as it is. */
export function decodePathText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
