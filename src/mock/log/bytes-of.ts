const encoder = new TextEncoder();

/** How many bytes a content has, a text in UTF-8. */
export function bytesOf(content: string | Uint8Array | undefined): number {
  return typeof content === 'string' ? encoder.encode(content).length : (content?.length ?? 0);
}
