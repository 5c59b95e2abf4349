import type { Condition } from '../../policy/condition.ts';

/** Why a request is refused. */
export interface Refused {
  readonly kind: 'refused';
  readonly condition: Condition;
  /** What was wrong and where, as a sentence. */
  readonly message: string;
}
