import type { Condition } from '../../policy/condition.ts';
import type { ConnectionFault } from '../steps/connection-fault.ts';

/** What an error body can say. */
export interface ErrorFacts {
  readonly status: number;
  /** The number of the error: the status, or what the policy gives the condition. */
  readonly code: number;
  /** `forced` where a fault or a preference decided the answer, and its status says no more. */
  readonly condition: Condition | ConnectionFault | 'forced';
  /** What was wrong and where, in words. */
  readonly message: string;
}
