import type { RateLimitAnswer } from '../../policy/rate-limit.ts';

/**
 * Prepares the counting of requests within any one second.
 *
 * @param clock - milliseconds
 * @returns how many seconds the client is to wait, or undefined where the request is within the limit
 */
export function createRateLimiter(
  limit: Exclude<RateLimitAnswer, 'none'>,
  clock: () => number,
): () => number | undefined {
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
