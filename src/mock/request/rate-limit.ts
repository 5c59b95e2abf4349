import type { Contract, Operation } from '../../contract/contract.ts';
import type { Policy } from '../../policy/policy.ts';
import type { RateLimitAnswer } from '../../policy/questions/rate-limit.ts';

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

/** As {@link createRateLimiter} makes it; undefined where there is no limit. */
type RateLimiter = (() => number | undefined) | undefined;

/**
 * Prepares the counting of requests: together for all operations, but for one that has an answer of its own.
 *
 * @param input.clock - milliseconds
 */
export function createRateLimiters(input: {
  readonly contract: Contract;
  readonly policy: Policy;
  readonly clock: () => number;
}): {
  /** For what reaches no operation too. */
  readonly general: RateLimiter;
  readonly of: (operation: Operation) => RateLimiter;
} {
  const { contract, policy, clock } = input;
  const toLimiter = (answer: RateLimitAnswer): RateLimiter =>
    answer === 'none' ? undefined : createRateLimiter(answer, clock);
  const general = toLimiter(policy['rate-limit']);
  const own = new Map<Operation, RateLimiter>();
  for (const operation of contract.operations) {
    const answer = policy.operations?.[operation.id]?.['rate-limit'];
    if (answer !== undefined) {
      own.set(operation, toLimiter(answer));
    }
  }
  return {
    general,
    of: own.size === 0 ? () => general : (operation) => (own.has(operation) ? own.get(operation) : general),
  };
}
