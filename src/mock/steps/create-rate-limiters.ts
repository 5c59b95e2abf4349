import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Policy } from '../../policy/policy.ts';
import type { RateLimitAnswer } from '../../policy/rate-limit.ts';
import { createRateLimiter } from './create-rate-limiter.ts';

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
