import { findLag } from '../check/stateful/follow.ts';
import type { CheckContext, CheckedExchange } from '../check/classify/subject.ts';
import { waitFor } from './throttle.ts';

/** The shortest pause before a request is repeated, in milliseconds. Each pause is as long as those before together. */
const shortestMs = 50;

/** The time that a run waits for the responses of one operation in total, and the longest lag to wait for. */
const longestMs = 30_000;

/** The waits of one case for changes to become visible. */
export interface LagWaits {
  /**
   * Waits if the last exchanges of a trace, from an index on, are wrong unless a lag that the document states explains
   * them. Waits to the end of the lag once for each operation.
   *
   * @returns whether it waited
   */
  readonly wait: (trace: readonly CheckedExchange[], from: number) => Promise<boolean>;
  /** Returns whether it waited to the end of a lag, so that each repetition of the case takes as long. */
  readonly areLong: () => boolean;
}

/**
 * Creates a function that opens the waits of a case. They end with the signal. With `isLimited`, they end when all cases
 * together have waited for long.
 */
export function createLagWaits(
  context: CheckContext,
  signal: AbortSignal | undefined,
): (how: { readonly isLimited: boolean }) => LagWaits {
  /** The time waited, by the id of the operation. */
  const waited = new Map<string, number>();
  return ({ isLimited }) => {
    const ended = new Set<string>();
    return {
      areLong: () => ended.size > 0,
      async wait(trace, from) {
        const id = trace.at(-1)?.operation?.id ?? '';
        if (ended.has(id) || signal?.aborted === true) return false;
        const lag = findLag(trace, from, context);
        if (lag === undefined) return false;
        const before = waited.get(id) ?? 0;
        // A millisecond more, as timers may end early.
        const leftMs = lag.lagMs - lag.sinceMs + 1;
        if (lag.lagMs > longestMs || (isLimited && before + leftMs > longestMs)) return false;
        const pauseMs = Math.min(leftMs, Math.max(shortestMs, lag.sinceMs));
        if (pauseMs === leftMs) ended.add(id);
        waited.set(id, before + pauseMs);
        await waitFor(pauseMs, signal);
        return true;
      },
    };
  };
}
