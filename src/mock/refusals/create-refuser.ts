import type { Operation } from '../../contract/operation.ts';
import type { Condition } from '../../policy/condition.ts';
import type { Policy } from '../../policy/policy.ts';
import { replaceFields } from '../bodies/replace-fields.ts';
import type { RequestProblem } from '../log/logged-request.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import { findDeclaredRefusal, type RefusalShape } from './declared-refusal.ts';
import { ownShape } from './own-shape.ts';
import { problemShape } from './problem-shape.ts';
import { planRefusal, type RefusalPlan } from './refusal-plan.ts';

/** Makes the answer to a request that is refused. */
export type Refuse = (refusal: {
  readonly condition: Condition;
  /** What was wrong and where, as a sentence. It holds no secret. */
  readonly message: string;
  /** What of the request speaks against it, made when it is asked for. */
  readonly problems?: () => readonly RequestProblem[];
  /** Further fields, names and values in turn. */
  readonly headers?: readonly string[];
}) => MockAnswer;

const emptyShape: RefusalShape = { headers: [], body: undefined };

function undeclaredShape(plan: RefusalPlan, errorShape: RefusalShape): RefusalShape {
  switch (plan.body) {
    case 'error':
      return errorShape;
    case 'problem':
      return problemShape;
    case 'empty':
      return emptyShape;
    case 'other':
      return ownShape;
  }
}

function isBodyless(status: number): boolean {
  return status === 204 || status === 304;
}

/** What the refusals of an operation are prepared from. */
interface RefuserInput {
  /** Undefined for paths and methods that the document does not have. */
  readonly operation: Operation | undefined;
  readonly policy: Policy;
  /** What errors look like that are not declared. */
  readonly errorShape: RefusalShape;
}

function prepare(input: RefuserInput, condition: Condition): Refuse {
  const { operation, policy } = input;
  const plan = planRefusal(condition, policy);
  const declared = findDeclaredRefusal(operation?.responses ?? [], plan);
  const { headers, body } = declared ?? undeclaredShape(plan, input.errorShape);
  const status = declared?.status ?? plan.status;
  const codes = policy['error-codes'];
  const code = codes === 'status' ? status : (codes[condition] ?? status);
  const allHeaders = declared === undefined ? [...headers, 'Cloche-Undeclared', plan.undeclared] : headers;
  const about = {
    condition,
    ...(operation === undefined ? {} : { operation: operation.id }),
    ...(declared === undefined ? { undeclared: plan.undeclared } : {}),
  };
  return ({ message, problems, headers: further = [] }) => ({
    status,
    headers: further.length === 0 ? allHeaders : replaceFields(allHeaders, further),
    body: isBodyless(status) ? undefined : (body?.({ status, code, condition, message }) ?? ''),
    note: problems === undefined ? { ...about, message } : { ...about, message, problems },
  });
}

/**
 * Prepares the refusals of an operation, or of what leads to none: each condition is matched with the
 * declared response that carries it, and what is not declared is answered as the policy says and marked
 * with the field `Cloche-Undeclared`.
 */
export function createRefuser(input: RefuserInput): Refuse {
  const prepared: Readonly<Record<Condition, Refuse>> = {
    'missing-credentials': prepare(input, 'missing-credentials'),
    'invalid-credentials': prepare(input, 'invalid-credentials'),
    'malformed-body': prepare(input, 'malformed-body'),
    'missing-body': prepare(input, 'missing-body'),
    'invalid-body': prepare(input, 'invalid-body'),
    'invalid-parameter': prepare(input, 'invalid-parameter'),
    'unsupported-media-type': prepare(input, 'unsupported-media-type'),
    'body-too-large': prepare(input, 'body-too-large'),
    'duplicate-key': prepare(input, 'duplicate-key'),
    'duplicate-value': prepare(input, 'duplicate-value'),
    'not-acceptable': prepare(input, 'not-acceptable'),
    'unknown-path': prepare(input, 'unknown-path'),
    'unknown-method': prepare(input, 'unknown-method'),
    'too-many-requests': prepare(input, 'too-many-requests'),
  };
  return (refusal) => prepared[refusal.condition](refusal);
}
