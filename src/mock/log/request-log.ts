import { ClocheError } from '../../errors/cloche-error.ts';
import { checkOptionNames } from '../../errors/suggest.ts';
import type { LoggedRequest } from '../message.ts';
import {
  checkFilter,
  createRequestCriteria,
  type RequestFilter,
  type RequestLog,
  verifyRequests,
} from './filter.ts';
import { createRequestReader, locateClauses, type RequestReader } from './read-request.ts';
import { type LogContext, type RawRequest, RequestRing } from './ring-buffer.ts';

/** The default time to wait for requests, in milliseconds. */
const usualWaitMs = 5000;

/**
 * Creates a log of requests that uses approximately `maxBytes` of memory: `record` stores a request and sets its id,
 * `close` ends all waits. The operations are those of the current contract.
 */
export function createRequestLog(
  maxBytes: number,
  operations: () => readonly { readonly id: string }[],
): {
  readonly log: RequestLog;
  readonly record: (raw: RawRequest) => void;
  readonly close: () => void;
} {
  const ring = new RequestRing(maxBytes);
  const line = new Waiters();
  const readers = new WeakMap<LogContext, RequestReader>();

  function readerOf(context: LogContext): RequestReader {
    const reader = readers.get(context) ?? createRequestReader(context);
    readers.set(context, reader);
    return reader;
  }

  // Each request is read with the contract under which it was answered.
  const read = (raw: RawRequest): LoggedRequest => readerOf(raw.context).read(raw);
  const findItem: RequestReader['findItem'] = (raw) => readerOf(raw.context).findItem(raw);

  function toPredicate(filter: RequestFilter): (raw: RawRequest) => boolean {
    checkFilter(filter);
    const criteria = createRequestCriteria(filter, { read, findItem });
    return (raw) => criteria.every(({ fits }) => fits(raw));
  }

  function list(filter: RequestFilter = {}, limit = Infinity): readonly LoggedRequest[] {
    const matching = ring.list().filter(toPredicate(filter));
    const newest = limit < matching.length ? matching.slice(matching.length - Math.max(0, limit)) : matching;
    return newest.map(read);
  }

  const log: RequestLog = {
    list,
    get(id) {
      const raw = ring.get(id);
      if (raw === undefined) return undefined;
      const found = read(raw);
      return { ...found, problems: locateClauses(found.problems, raw.context.contract) };
    },
    get dropped() {
      return ring.dropped;
    },
    get first() {
      return ring.first;
    },
    get last() {
      return ring.last;
    },
    clear() {
      ring.clear();
      line.restart();
    },
    async waitFor(filter, options = {}) {
      checkOptionNames(options, {
        names: ['times', 'timeoutMs', 'signal'],
        attempt: 'wait for requests with',
      });
      const { times = 1, timeoutMs = usualWaitMs, signal } = options;
      signal?.throwIfAborted();
      const fits = toPredicate(filter);
      const count = times - ring.list().filter(fits).length;
      if (count > 0) await line.join({ fits, count, times, timeoutMs, signal });
      return list(filter);
    },
    verify(filter, times = { atLeast: 1 }) {
      return verifyRequests({
        requests: ring.list(),
        dropped: ring.dropped,
        filter,
        times,
        operations: operations().map(({ id }) => id),
        read,
        findItem,
        hide: (raw, text) => readerOf(raw.context).hide(raw, text),
      });
    },
  };

  return {
    log,
    record(raw) {
      ring.add(raw);
      if (line.size !== 0) line.note(raw);
    },
    close: () => line.end(),
  };
}

/** The maximum delay of a timer; a timer with a longer one fires immediately. */
const longestTimerMs = 2 ** 31 - 1;

interface Waiting {
  readonly fits: (raw: RawRequest) => boolean;
  /** The number of requests still missing. */
  count: number;
  /** The number of requests to wait for after a restart. */
  readonly times: number;
  readonly end: () => void;
}

/** The callers that wait for requests. */
export class Waiters {
  readonly #line = new Set<Waiting>();

  /** The number of callers; if it is 0, requests need no check. */
  get size(): number {
    return this.#line.size;
  }

  note(raw: RawRequest): void {
    for (const waiting of this.#line) {
      waiting.count -= waiting.fits(raw) ? 1 : 0;
      if (waiting.count <= 0) waiting.end();
    }
  }

  /** Restarts the counts, as the counted requests were removed. */
  restart(): void {
    for (const waiting of this.#line) waiting.count = waiting.times;
  }

  /** Ends all waits, as if they had timed out. */
  end(): void {
    for (const waiting of this.#line) waiting.end();
  }

  /** @throws the reason of the signal if it is aborted */
  join({
    timeoutMs,
    signal,
    ...wait
  }: Omit<Waiting, 'end'> & {
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
  }): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        this.#line.delete(waiting);
        // The caller that aborts chooses the error.
        if (signal?.aborted === true) reject(signal.reason);
        else resolve();
      };
      const waiting = { ...wait, end };
      const timer = setTimeout(end, Math.min(timeoutMs, longestTimerMs));
      signal?.addEventListener('abort', end);
      this.#line.add(waiting);
      if (signal?.aborted === true) end();
    });
  }
}

/** About 2000 small requests. The garbage collector moves each kept one twice, so a larger log is slower. */
const usualBytes = 1024 * 1024;

/**
 * Validates the memory limit of the log.
 *
 * @throws ClocheError OPTION_INVALID for anything but a whole number from 0 on
 */
export function toLogBytes(bytes: number = usualBytes): number {
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use as logBytes',
    subject: String(bytes),
    reason: 'it is no whole number of bytes from 0 on',
    remedy: 'Leave it out for 1 MiB',
  });
}
