import type { Contract } from '../contract/contract.ts';
import type { Policy } from '../policy/policy.ts';
import type { QuestionId } from '../policy/question-id.ts';

/** What every check may know besides the exchange. */
export interface CheckContext {
  readonly contract: Contract;
  readonly policy: Policy;
  /**
   * The questions whose answers the run was told to hold the service to: another answer is drift, a violation. What
   * the policy says to any other is only how the mock would answer, and is held against nobody.
   */
  readonly told: ReadonlySet<QuestionId>;
  /** What a create that does not answer with what was sent is worth, or undefined where it is not judged. */
  readonly echo: 'violation' | 'advice' | undefined;
  /** The tokens that the service is known to accept; never printed. */
  readonly goodTokens: readonly string[];
  /** The ids of the operations that took a plain request: what they refuse can be held against that. */
  readonly taken: ReadonlySet<string>;
  /**
   * The ids of the operations that took equal plain bodies under different keys: whatever they refuse, it is not
   * since a value has to be unique.
   *
   * @defaultValue none is known
   */
  readonly takesEqual?: ReadonlySet<string>;
  /** Whether a plain request to an operation, which may still be under way, held a telltale text. */
  readonly wasSent: (operationId: string, text: string) => boolean;
  /** The length in bytes of the longest plain body that was sent so far. */
  readonly longestPlainBody: number;
}
