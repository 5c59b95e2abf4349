const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Whether a request of this method says `Content-Length: 0` where it has no content (RFC 9110 §8.6).
 */
export function expectsContent(method: string): boolean {
  return methods.has(method);
}
