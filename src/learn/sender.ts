import { type Exchange, type HttpRequest, isSafeMethod } from '../http/message.ts';
import { isSuccessStatus } from '../http/status.ts';
import { cannotJudge, createThrottle, waitFor } from '../session/throttle.ts';
import type { LearnEvent, LearnOptions } from './events.ts';

/** Whoever asks has to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** As many requests were sent as may be. */
export class OutOfRequests extends Error {
  override readonly name = 'OutOfRequests';
}

/** Sends requests, and counts them. */
export interface Sender {
  /**
   * @throws OutOfRequests where as many were sent as may be
   * @throws Interrupted where the signal of the options has aborted
   * @throws ClocheError CANNOT_JUDGE where the service is gone, or still puts requests off after all the time to wait
   */
  readonly send: (request: HttpRequest, options: { readonly waits: boolean }) => Promise<Exchange>;
  readonly tally: { readonly requests: number; readonly creates: number; readonly waits: number };
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Creates what sends the requests of all questions. */
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
  // Every time that a request leaves counts, the times when it is put off too.
  const counted: LearnOptions['send'] = async (request, sendOptions) => {
    refuseWhenInterrupted();
    if (tally.requests >= mostRequests) throw new OutOfRequests();
    tally.requests += 1;
    const answer = await options.send(request, { ...sendOptions, ...(signal && { signal }) });
    // A request that was broken off says nothing about the service.
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
        throw cannotJudge(target, reason, 'Start the service, or name its base URL, and ask again');
      }
      const status = answer.kind === 'response' ? answer.response.status : 0;
      const isChange = !isSafeMethod(request.method) && request.method !== 'PROPFIND';
      tally.creates += isSuccessStatus(status) && isChange ? 1 : 0;
      return { request, answer, durationMs: clock() - from };
    },
  };
}

/** How much is to be made of a refusal of a key that was never sent: a live store may hold it all the same. */
export interface KeyTrust {
  /** With how many further keys a refused request is tried. */
  readonly further: number;
  /** Takes note of what a request came to, and of whether it was refused with another key before. */
  readonly learn: (of: { readonly wasRefused: boolean; readonly isAccepted: boolean }) => void;
}

const usual = 1;
/** Even where every second key is in use, few requests are refused so often for that. */
const most = 5;

/** Creates the trust in the keys of one operation; it goes once a key turns out to be another's. */
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

/** The most requests that are sent in the place of one. */
export const mostTries: number = most + 1;
