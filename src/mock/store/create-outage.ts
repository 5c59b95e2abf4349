import { StoreUnavailable } from './store-unavailable.ts';

/** Whether a store that is elsewhere answers. It is told of once when it goes away, and once when it is back. */
export interface Outage {
  /** Notes that the store does not answer, and gives what is to be thrown. */
  failed(reason: string, cause?: unknown): StoreUnavailable;
  /** Notes that it answers. */
  worked(): void;
}

/**
 * Follows whether a store answers.
 *
 * @param input.place - where the store is, without a secret
 * @param input.tell - is given a sentence when the store goes away, and one when it is back
 * @param input.clock - milliseconds since 1970; the time of the mock may stand still
 */
export function createOutage(input: {
  readonly place: string;
  readonly tell: (sentence: string) => void;
  readonly clock?: () => number;
}): Outage {
  const { place, tell, clock = Date.now } = input;
  let since: number | undefined;
  return {
    failed(reason, cause) {
      if (since === undefined) {
        since = clock();
        tell(`The store ${place} is away: ${reason}. Requests that need it are answered with 503.`);
      }
      return new StoreUnavailable({ place, reason, since, ...(cause === undefined ? {} : { cause }) });
    },
    worked() {
      if (since !== undefined) {
        const seconds = Math.ceil((clock() - since) / 1000);
        since = undefined;
        tell(`The store ${place} is back, after ${seconds} s.`);
      }
    },
  };
}
