import { isStreamMediaType } from './codecs/registry.ts';
import { isJsonMediaType, parseMediaType } from './media-type.ts';
import { type HeaderList, headerValue } from './message.ts';

/** How long a client waits for the first event of a stream, and then for more, in milliseconds. It closes the stream then. */
export const eventWaits = { first: 1_000, more: 100 } as const;

/**
 * Returns whether a response is a stream, for whose end RFC 9110 §3.4 sets no time: by its media type, or, at the time limit,
 * as it is still sending content of no declared length that is not JSON.
 */
export function isStream(headers: HeaderList, isSending = false): boolean {
  const essence = parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence ?? '';
  const isOpen = isSending && headerValue(headers, 'content-length') === undefined;
  return isStreamMediaType(essence) || (isOpen && !isJsonMediaType(essence));
}
