import type { Answers } from '../../policy/question.ts';

/** Says how many seconds a client is to wait; undefined where its request is within the limit, and counted. */
export type RateLimiter = () => number | undefined;

/** Prepares the counting of requests within any one second, by a clock in milliseconds; undefined for no limit. */
export function createRateLimiter(
  limit: Answers['rate-limit'],
  clock: () => number,
): RateLimiter | undefined {
  if (limit === 'none') return undefined;
  // The times of the last requests let in, oldest first from `next` on.
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
