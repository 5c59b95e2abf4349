import type { Judged } from './judged.ts';
import { isTurnedAway } from './is-turned-away.ts';
import { resourceKey } from './resource-key.ts';

/**
 * Says why a trace shows nothing of what becomes of one key in requests side by side. Its first exchanges are
 * one key, one request after the other.
 *
 * @returns undefined where the trace does show it
 */
export function whyRaceUnjudged(trace: readonly Judged[]): string | undefined {
  const [first] = trace;
  const repeats = trace.slice(1).filter((one) => first && resourceKey(one) === resourceKey(first));
  return repeats.length === 0 || !repeats.every(isTurnedAway)
    ? 'the service does not refuse a key that exists already each time, so nothing is lost where such requests come side by side'
    : undefined;
}
