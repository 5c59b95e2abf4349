import type { Condition } from '../../policy/condition.ts';
import type { Policy } from '../../policy/policy.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import type { RefusedCredentials } from '../../policy/refused-credentials.ts';

/** Which answer a condition is looking for. */
export interface RefusalPlan {
  /** Statuses that the document may declare for it one by one, the likeliest first; such a one wins over the policy. */
  readonly declared: readonly number[];
  /** The status where none of those is declared: under a range or `default` of the document, else undeclared. */
  readonly status: number;
  /** What decides an answer that the document does not declare. */
  readonly undeclared: QuestionId | Condition;
  /** The body of an undeclared answer. */
  readonly body: RefusedCredentials['body'];
}

function planCredentials(
  condition: Condition & QuestionId,
  { status, body }: RefusedCredentials,
): RefusalPlan {
  return { declared: [status, 401, 403], status, undeclared: condition, body };
}

/** What each answer to `duplicate-key` that is a refusal looks for; 409 says the most (RFC 9110 §15.5.10). */
const duplicatePlans = {
  refuse: { declared: [409, 422, 400], status: 400 },
  conflict: { declared: [409], status: 409 },
  unprocessable: { declared: [409, 422], status: 422 },
} as const;

/** Which answer a condition gets under a policy, as far as the document leaves it open. */
export function planRefusal(condition: Condition, policy: Policy): RefusalPlan {
  switch (condition) {
    case 'missing-credentials':
      return planCredentials(condition, policy['missing-credentials']);
    case 'invalid-credentials':
      return planCredentials(condition, policy['invalid-credentials']);
    case 'unsupported-media-type':
      return policy['unsupported-media-type'] === 415
        ? { declared: [415], status: 415, undeclared: condition, body: 'error' }
        : { declared: [415, 400, 422], status: 400, undeclared: condition, body: 'error' };
    case 'body-too-large': {
      const { status } = policy['body-limit'];
      const declared = status === 400 ? [413, 400, 422] : [...new Set([413, status])];
      return { declared, status, undeclared: 'body-limit', body: 'error' };
    }
    case 'duplicate-key': {
      const answer = policy['duplicate-key'];
      const plan = Object.hasOwn(duplicatePlans, answer) ? answer : 'refuse';
      // `as`: hasOwn has just looked.
      return { ...duplicatePlans[plan as keyof typeof duplicatePlans], undeclared: condition, body: 'error' };
    }
    case 'duplicate-value':
      return { ...duplicatePlans.refuse, undeclared: 'unique-properties', body: 'error' };
    case 'not-acceptable':
      return { declared: [406], status: 406, undeclared: 'accept', body: 'error' };
    case 'too-many-requests':
      return { declared: [429], status: 429, undeclared: 'rate-limit', body: 'error' };
    case 'unknown-path':
      return {
        declared: [],
        status: policy['other-operations'].path,
        undeclared: 'other-operations',
        body: 'error',
      };
    case 'unknown-method':
      return {
        declared: [],
        status: policy['other-operations'].method,
        undeclared: 'other-operations',
        body: 'error',
      };
    case 'malformed-body':
    case 'missing-body':
    case 'invalid-body':
    case 'invalid-parameter':
      return { declared: [400, 422], status: 400, undeclared: condition, body: 'error' };
  }
}
