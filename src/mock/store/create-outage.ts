import { StoreUnavailable } from './store-unavailable.ts';

/** What was asked of a store. One whose disk or memory is full, or that is a replica, can be read all the same. */
export type StoreUse = 'read' | 'write';

/** Whether a store that is elsewhere answers. It is told of once when it goes away, and once when it is back. */
export interface Outage {
  /**
   * Notes that the store does not answer, and gives what is to be thrown.
   *
   * @param failure.use - what fails: what cannot be read can neither be written
   * @param failure.reason - without a full stop
   */
  failed(failure: {
    readonly use: StoreUse;
    readonly reason: string;
    readonly cause?: unknown;
  }): StoreUnavailable;
  /** Notes that it answers. That it can be read does not say that it can be written again. */
  worked(use: StoreUse): void;
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
  let away: { readonly since: number; readonly use: StoreUse } | undefined;
  return {
    failed({ use, reason, cause }) {
      if (away === undefined) {
        away = { since: clock(), use };
        tell(`The store ${place} is away: ${reason}. Requests that need it are answered with 503.`);
      }
      const { since } = away;
      return new StoreUnavailable({ place, reason, since, ...(cause === undefined ? {} : { cause }) });
    },
    worked(use) {
      if (away !== undefined && (use === 'write' || away.use === 'read')) {
        const seconds = Math.ceil((clock() - away.since) / 1000);
        away = undefined;
        tell(`The store ${place} is back, after ${seconds} s.`);
      }
    },
  };
}
