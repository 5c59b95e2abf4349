import type { Condition } from '../../policy/condition.ts';
import type { RequestProblem } from '../log/logged-request.ts';

/** Why a request is refused. */
export interface Refused {
  readonly kind: 'refused';
  readonly condition: Condition;
  /** What was wrong and where, as a sentence. */
  readonly message: string;
  /** What of the request speaks against it, made when it is asked for. */
  readonly problems?: () => readonly RequestProblem[];
}
