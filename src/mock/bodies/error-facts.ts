import type { Condition } from '../../policy/condition.ts';

/** What an error body can say. */
export interface ErrorFacts {
  readonly status: number;
  /** The number of the error: the status, or what the policy gives the condition. */
  readonly code: number;
  readonly condition: Condition;
  /** What was wrong and where, in words. */
  readonly message: string;
}
