import { createRouter } from '../contract/router.ts';
import { type Exchange, type HttpRequest, isSafeMethod } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { isSuccessStatus } from '../http/status.ts';
import { remedyOfUnreachable } from '../session/cannot-judge.ts';
import { createCreateLimit } from '../session/create-limit.ts';
import { cannotJudge, createThrottle, waitFor } from '../session/throttle.ts';
import type { LearnEvent, LearnOptions } from './events.ts';

/** Error that learning has to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Error that the maximum number of requests, or of created items, was reached. Its message is the reason. */
export class OutOfRequests extends Error {
  override readonly name = 'OutOfRequests';
}

/** A sender that counts its requests. */
export interface Sender {
  /**
   * @throws OutOfRequests if the maximum number of requests, or of created items, was reached
   * @throws Interrupted if the signal of the options has aborted
   * @throws ClocheError CANNOT_JUDGE if the service is unreachable, or still postpones requests after the maximum wait
   */
  readonly send: (request: HttpRequest, options: { readonly waits: boolean }) => Promise<Exchange>;
  readonly tally: { readonly requests: number; readonly creates: number; readonly waits: number };
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Creates the sender for the requests of all probes. */
export function createSender(options: LearnOptions & { readonly emit: (event: LearnEvent) => void }): Sender {
  const { target = 'the service', clock = Date.now, mostRequests = 5_000, emit, signal } = options;
  const wait = options.sleep ?? ((ms: number) => waitFor(ms, signal));
  async function sleep(ms: number): Promise<void> {
    await wait(ms);
    refuseWhenInterrupted();
  }
  function refuseWhenInterrupted(): void {
    if (signal?.aborted === true) throw new Interrupted();
  }
  const tally = { requests: 0, creates: 0, waits: 0 };
  const route = createRouter(options.contract);
  const creates = createCreateLimit(options.maxCreates ?? Infinity);
  const throttled = createThrottle({
    target,
    rate: options.rate,
    rateWaitMs: options.rateWaitMs ?? 300_000,
    clock,
    sleep,
    onWait(status, ms) {
      tally.waits += 1;
      emit({ kind: 'waiting', status, ms });
    },
  });
  // Each transmission of a request counts, including postponed ones.
  const counted: LearnOptions['send'] = async (request, sendOptions) => {
    refuseWhenInterrupted();
    if (tally.requests >= mostRequests) throw new OutOfRequests('as many requests were sent as may be');
    const operation = route(pathOf(request.target))?.operations.get(request.method);
    const settleCreate = await creates.reserve(request, operation);
    if (settleCreate === undefined) throw new OutOfRequests(creates.whyNot());
    tally.requests += 1;
    const answer = await options.send(request, { ...sendOptions, ...(signal && { signal }) });
    settleCreate(answer);
    // An aborted request shows nothing about the service.
    refuseWhenInterrupted();
    return answer;
  };
  return {
    tally,
    clock,
    sleep,
    async send(request, { waits }) {
      const from = clock();
      const answer = await throttled(counted, { waits })(request);
      if (answer.kind === 'unreachable') {
        const reason = `${answer.reason} (at ${request.method} ${request.target})`;
        const remedy = answer.remedy ?? remedyOfUnreachable;
        throw cannotJudge(target, reason, remedy);
      }
      const status = answer.kind === 'response' ? answer.response.status : 0;
      const isChange = !isSafeMethod(request.method) && request.method !== 'PROPFIND';
      tally.creates += isSuccessStatus(status) && isChange ? 1 : 0;
      return { request, answer, durationMs: clock() - from };
    },
  };
}

/** The meaning of a rejected request with a new id. A live store may already contain the id. */
export interface KeyTrust {
  /** The number of further ids with which a rejected request is retried. */
  readonly further: number;
  /** Records the result of a request, and whether it was rejected with another id before. */
  readonly learn: (of: { readonly wasRefused: boolean; readonly isAccepted: boolean }) => void;
}

const usual = 1;
/** Even if every second id exists, few requests are rejected this often because of that. */
const most = 5;

/** Creates the trust in the ids of one operation. It drops if an id turns out to exist already. */
export function createKeyTrust(): KeyTrust {
  let further = usual;
  return {
    get further() {
      return further;
    },
    learn({ wasRefused, isAccepted }) {
      further = wasRefused && isAccepted ? most : further;
    },
  };
}

/** The maximum number of requests that are sent instead of one. */
export const mostTries: number = most + 1;
