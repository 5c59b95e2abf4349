import type { BehaviourValues } from '../../policy/behaviour.ts';

/** Counts a request within the limit and returns undefined; otherwise returns the seconds to wait. */
export type RateLimiter = () => number | undefined;

/** Creates the counter of requests within any one second, by a clock in milliseconds; undefined for no limit. */
export function createRateLimiter(
  limit: BehaviourValues['rate-limit'],
  clock: () => number,
): RateLimiter | undefined {
  if (limit === 'none') return undefined;
  // The times of the last accepted requests, the oldest at `next`.
  const times: number[] = [];
  let next = 0;
  return () => {
    const now = clock();
    const oldest = times.length < limit.perSecond ? undefined : times[next];
    if (limit.perSecond < 1 || (oldest !== undefined && now - oldest < 1000)) {
      return Math.max(1, Math.ceil(((oldest ?? now) + 1000 - now) / 1000));
    }
    times[next] = now;
    next = (next + 1) % limit.perSecond;
    return undefined;
  };
}
