import type { Policy } from '../policy/policy.ts';
import { type QuestionId, questions } from '../policy/questions.ts';
import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck, Subject } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

interface Held {
  readonly question: QuestionId;
  /** In words. */
  readonly expected: string;
  readonly holds: boolean;
}

function statusOf({ answer }: Subject): number {
  return answer.kind === 'none' ? 0 : answer.response.status;
}

function holdCredentials(subject: Subject, policy: Policy): Held | undefined {
  const { credentials, body } = subject.request;
  const isMissing = credentials === 'missing' || credentials === 'other';
  const isBodyFine = body.kind === 'valid' || body.kind === 'not-expected';
  if ((!isMissing && credentials !== 'unknown-token') || (policy['auth-order'] === 'after' && !isBodyFine)) {
    return undefined;
  }
  if (!isMissing && policy['accepted-tokens'] === 'any') {
    return undefined;
  }
  const question = isMissing ? 'missing-credentials' : 'invalid-credentials';
  const { status } = policy[question];
  return { question, expected: String(status), holds: statusOf(subject) === status };
}

function holdMediaType(subject: Subject, policy: Policy): Held | undefined {
  const { request } = subject;
  if (request.body.kind !== 'other-media' || request.credentials !== 'good') {
    return undefined;
  }
  const told = policy['unsupported-media-type'];
  const status = statusOf(subject);
  // Read anyway, content in another notation is malformed, and so refused.
  const holds =
    told === 'read'
      ? status !== 415
      : status === told || (told === 400 && classifyStatus(subject.answer) === 'refused');
  return { question: 'unsupported-media-type', expected: String(told), holds };
}

function holdContested(subject: Subject, policy: Policy): Held | undefined {
  const { request, answer } = subject;
  if (
    request.body.kind !== 'valid' ||
    request.body.grade.kind !== 'contested' ||
    request.credentials !== 'good'
  ) {
    return undefined;
  }
  const isTaken = classifyStatus(answer) === 'accepted';
  const mayExist = request.key === 'sent' || request.key === 'chosen';
  const hold = (question: QuestionId, takes: boolean): Held | undefined =>
    mayExist && takes
      ? undefined
      : { question, expected: takes ? 'it is taken' : 'it is refused', holds: isTaken === takes };
  switch (request.body.grade.reason) {
    case 'a value outside its format':
      return hold('int64-range', policy['int64-range'] === 'accept');
    case 'an integer written with a fraction or an exponent':
      return hold('integer-notation', policy['integer-notation'] === 'yes');
    case 'a key that stands twice':
      return policy['duplicate-keys-in-json'] === 'refuse'
        ? hold('duplicate-keys-in-json', false)
        : undefined;
    default:
      return undefined;
  }
}

function holdOtherOperations(subject: Subject, policy: Policy): Held | undefined {
  const { operation, exchange, answer } = subject;
  if (operation !== undefined || answer.kind === 'none') {
    return undefined;
  }
  const { method, path } = policy['other-operations'];
  const status = statusOf(subject);
  // Which of the two it is depends on the path alone; a preflight and OPTIONS are CORS's matter.
  const isOptions = exchange.request.method === 'OPTIONS';
  return {
    question: 'other-operations',
    expected: `${method} or ${path}`,
    holds:
      isOptions || status === method || status === path || status === policy['missing-credentials'].status,
  };
}

function holdAccept(subject: Subject, policy: Policy): Held | undefined {
  const { request } = subject;
  const isPlain =
    request.body.kind === 'valid' && request.body.grade.kind === 'plain' && request.credentials === 'good';
  if (request.accept !== 'unmet' || !isPlain || request.key !== 'allocated') {
    return undefined;
  }
  const isRefused = statusOf(subject) === 406;
  return {
    question: 'accept',
    expected: String(policy.accept),
    holds: isRefused === (policy.accept === 406),
  };
}

const questionsHeld = [holdCredentials, holdMediaType, holdContested, holdOtherOperations, holdAccept];

/**
 * Finds an answer other than the one that the policy gives, in a run that was told to hold the service to
 * its policy.
 *
 * @example 403 for a request without credentials, where the policy says 401
 */
export const checkDrift: ExchangeCheck = (subject, context) => {
  if (!context.told) {
    return undefined;
  }
  for (const hold of questionsHeld) {
    const held = hold(subject, context.policy);
    if (held !== undefined && !held.holds) {
      return {
        check: 'drift',
        level: 'violation',
        operation: nameOperation(subject),
        clause: { kind: 'policy', question: held.question, quote: questions[held.question].question },
        expected: held.expected,
        received: describeReceived(subject.answer),
        cause: `${held.question} ${statusOf(subject)}`,
      };
    }
  }
  return undefined;
};
