import { checkOptionNames } from '../../errors/check-option-names.ts';
import { checkFilter } from './check-filter.ts';
import { checkTimes } from './check-times.ts';
import { createRequestCriteria } from './create-request-criteria.ts';
import { createRequestReader, type RequestReader } from './create-request-reader.ts';
import { createRequestRing } from './request-ring.ts';
import { createWaitingLine } from './create-waiting-line.ts';
import { locateClauses } from './locate-clauses.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { LogContext, RawRequest } from './raw-request.ts';
import type { RequestFilter, RequestLog } from './request-log.ts';
import { verifyRequests } from './verify-requests.ts';

/** How long a request is waited for where nobody says, in milliseconds. */
const usualWaitMs = 5000;

/** A request log, and the side of it that the mock writes to. */
export interface RecordedLog {
  readonly log: RequestLog;
  /** Keeps a request, and gives it its id. */
  readonly record: (raw: RawRequest) => void;
  /** Lets go of who waits for requests. */
  readonly close: () => void;
}

/**
 * Creates a log of requests.
 *
 * @param maxBytes - about how much memory the requests in it may take; 0 keeps none
 * @param operations - the operations of the contract as it is now
 */
export function createRequestLog(
  maxBytes: number,
  operations: () => readonly { readonly id: string }[],
): RecordedLog {
  const ring = createRequestRing(maxBytes);
  const line = createWaitingLine();
  const readers = new WeakMap<LogContext, RequestReader>();

  function readerOf(context: LogContext): RequestReader {
    const reader = readers.get(context) ?? createRequestReader(context);
    readers.set(context, reader);
    return reader;
  }

  const read = (raw: RawRequest): LoggedRequest => readerOf(raw.context).read(raw);

  function toPredicate(filter: RequestFilter): (raw: RawRequest) => boolean {
    checkFilter(filter);
    const criteria = createRequestCriteria(filter, read);
    return (raw) => criteria.every(({ fits }) => fits(raw));
  }

  function list(filter: RequestFilter = {}, limit = Infinity): readonly LoggedRequest[] {
    const matching = ring.list().filter(toPredicate(filter));
    return (limit < matching.length ? matching.slice(matching.length - Math.max(0, limit)) : matching).map(
      read,
    );
  }

  const log: RequestLog = {
    list,
    get(id) {
      const raw = ring.get(id);
      if (raw === undefined) {
        return undefined;
      }
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
      if (count > 0) {
        await line.join({ fits, count, times, timeoutMs, signal });
      }
      return list(filter);
    },
    verify(filter, times = { atLeast: 1 }) {
      checkFilter(filter);
      checkTimes(times);
      return verifyRequests({
        requests: ring.list(),
        dropped: ring.dropped,
        filter,
        criteria: createRequestCriteria(filter, read),
        times,
        operations: operations().map(({ id }) => id),
        read,
        hide: (raw, text) => readerOf(raw.context).hide(raw, text),
      });
    },
  };

  return {
    log,
    record(raw) {
      ring.add(raw);
      if (line.size !== 0) {
        line.tell(raw);
      }
    },
    close: () => line.end(),
  };
}
