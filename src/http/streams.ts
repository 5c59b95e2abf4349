import { isStreamMediaType } from './codecs/registry.ts';
import { isJsonMediaType, parseMediaType } from './media-type.ts';
import { type HeaderList, headerValue } from './message.ts';

/** Wait of a client for the first event of a stream, and for more, in milliseconds. Then it closes the stream. */
export const eventWaits = { first: 1_000, more: 100 } as const;

/**
 * Returns whether a response is a stream, which has no time limit for its end (RFC 9110 §3.4). Its media type decides.
 * At the time limit, a response also counts if it still sends content that is not JSON, without a declared length.
 */
export function isStream(headers: HeaderList, isSending = false): boolean {
  const essence = parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence ?? '';
  const isOpen = isSending && headerValue(headers, 'content-length') === undefined;
  return isStreamMediaType(essence) || (isOpen && !isJsonMediaType(essence));
}
