import { isJsonMediaType, isStreamMediaType, parseMediaType } from './media-type.ts';
import { type HeaderList, headerValue } from './message.ts';

// A stream stays open: its head and its first events are read, then the client closes it (RFC 9110 §3.4 sets no limit).

/** How long a client waits for the first event of a stream, and for more events after it, in milliseconds. */
const waits = { first: 1_000, more: 100 };

/** Recognises the responses of one service that are streams. */
export interface StreamDetector {
  /** Returns how long to wait for the content of a response; undefined if it is no stream. */
  readonly waitMs: (response: StreamHead, isBegun: boolean) => number | undefined;
  /** Returns whether a response is a stream, as it still sent content when the time was over. The detector remembers it. */
  readonly isStillSent: (response: StreamHead, times: Record<'lastByteAt' | 'timeoutMs', number>) => boolean;
}

/** What tells a stream: the path of its request, and its header section. */
interface StreamHead {
  readonly target: string;
  readonly headers: HeaderList;
}

/** Creates a detector that knows streams by their media types, and others once they outlast the time limit. */
export function createStreamDetector(): StreamDetector {
  const known = new Set<string>();
  const nameOf = ({ target, headers }: StreamHead): string =>
    `${target.split('?', 1)[0] ?? ''} ${headerValue(headers, 'content-type') ?? ''}`;
  const essenceOf = ({ headers }: StreamHead): string =>
    parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence ?? '';
  return {
    waitMs(head, isBegun) {
      const isStream = isStreamMediaType(essenceOf(head)) || known.has(nameOf(head));
      return isStream ? waits[isBegun ? 'more' : 'first'] : undefined;
    },
    isStillSent(head, { lastByteAt, timeoutMs }) {
      const isLong = headerValue(head.headers, 'content-length') === undefined;
      // JSON that breaks off is no JSON, and a service that sends nothing more hangs.
      const isSending = performance.now() - lastByteAt < timeoutMs / 2;
      const isStream = isLong && isSending && !isJsonMediaType(essenceOf(head));
      if (isStream) known.add(nameOf(head));
      return isStream;
    },
  };
}
