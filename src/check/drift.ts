import { headerValue } from '../http/header-list.ts';
import { parseMediaType } from '../http/media-type.ts';
import type { Policy } from '../policy/policy.ts';
import type { QuestionId } from '../policy/question-id.ts';
import { questions } from '../policy/questions.ts';
import type { RefusedCredentials } from '../policy/refused-credentials.ts';
import { boundsValues } from './bounds-values.ts';
import { declaresExactly } from './declares-exactly.ts';
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

/** Whether nobody could hold anything but the body against a request. */
function hasOnlyItsBody({ request }: Subject, policy: Policy): boolean {
  const { credentials, accept, invalidParameters, bodyBytes } = request;
  return (
    (credentials === 'good' || credentials === 'not-required') &&
    accept === 'met' &&
    invalidParameters.length === 0 &&
    bodyBytes <= policy['body-limit'].bytes
  );
}

/** An answer that the document declares has the body that the document says. */
function hasBody({ answer, exchange }: Subject, body: RefusedCredentials['body']): boolean {
  if (answer.kind === 'none' || answer.declared !== undefined || exchange.request.method === 'HEAD') {
    return true;
  }
  const contentType = headerValue(answer.response.headers, 'content-type') ?? '';
  const isProblem = parseMediaType(contentType)?.essence === 'application/problem+json';
  switch (body) {
    case 'empty':
      return answer.content.kind === 'none';
    case 'problem':
      return isProblem;
    case 'error':
      return answer.content.kind !== 'none' && !isProblem;
  }
}

function holdCredentials(subject: Subject, policy: Policy): Held | undefined {
  const { credentials, body, accept, invalidParameters, bodyBytes } = subject.request;
  const isMissing = credentials === 'missing' || credentials === 'other';
  const isPlain = body.kind === 'not-expected' || (body.kind === 'valid' && body.grade.kind === 'plain');
  const isOtherwiseFine = isPlain && invalidParameters.length === 0 && !boundsValues(policy);
  if (
    (!isMissing && credentials !== 'unknown-token') ||
    (policy['auth-order'] === 'after' && !isOtherwiseFine) ||
    accept !== 'met' ||
    bodyBytes > policy['body-limit'].bytes
  ) {
    return undefined;
  }
  if (!isMissing && policy['accepted-tokens'] === 'any') {
    return undefined;
  }
  const question = isMissing ? 'missing-credentials' : 'invalid-credentials';
  const told = policy[question];
  const status = statusOf(subject);
  // A document that declares a status of this meaning, and not the one told, has answered the question.
  const isDocuments =
    (status === 401 || status === 403) &&
    declaresExactly(subject.operation, status) &&
    !declaresExactly(subject.operation, told.status);
  return {
    question,
    expected: `${told.status}, ${told.body === 'empty' ? 'no body' : `body: ${told.body}`}`,
    holds: isDocuments || (status === told.status && hasBody(subject, told.body)),
  };
}

function holdMediaType(subject: Subject, policy: Policy): Held | undefined {
  const { request, answer } = subject;
  if (request.body.kind !== 'other-media' || !hasOnlyItsBody(subject, policy)) {
    return undefined;
  }
  const question = 'unsupported-media-type';
  const told = policy[question];
  const status = statusOf(subject);
  if (told !== 'read') {
    const isDeclared = told === 400 && classifyStatus(answer) === 'refused';
    return { question, expected: String(told), holds: status === told || isDeclared };
  }
  // Read anyway, content in another notation is malformed, and so refused.
  const mustBeTaken =
    request.body.plainJson !== undefined && request.key !== 'sent' && request.key !== 'chosen';
  const holds = mustBeTaken && !boundsValues(policy) ? classifyStatus(answer) === 'accepted' : status !== 415;
  return { question, expected: told, holds };
}

/** Whether a policy refuses what a question is about. */
function refuses(policy: Policy, question: QuestionId): boolean {
  switch (question) {
    case 'int64-range':
    case 'duplicate-keys-in-json':
      return policy[question] === 'refuse';
    case 'integer-notation':
      return policy[question] === 'no';
    default:
      return false;
  }
}

function holdContested(subject: Subject, policy: Policy): Held | undefined {
  const { request, answer } = subject;
  const { body, key } = request;
  if (body.kind !== 'valid' || body.grade.kind !== 'contested' || !hasOnlyItsBody(subject, policy)) {
    return undefined;
  }
  const { questions: open } = body.grade;
  const isTaken = classifyStatus(answer) === 'accepted';
  const against = open.find((question) => refuses(policy, question));
  if (against !== undefined) {
    return { question: against, expected: 'it is refused', holds: !isTaken };
  }
  const [question] = open;
  // What is last or first of two values may be a key that exists, or break the schema.
  const mayBeRefused =
    key === 'sent' || key === 'chosen' || question === 'duplicate-keys-in-json' || boundsValues(policy);
  return question === undefined || mayBeRefused
    ? undefined
    : { question, expected: 'it is taken', holds: isTaken };
}

function holdOtherOperations(subject: Subject, policy: Policy): Held | undefined {
  const { operation, exchange, answer, knowsPath } = subject;
  // A preflight and OPTIONS are CORS's matter.
  if (operation !== undefined || answer.kind === 'none' || exchange.request.method === 'OPTIONS') {
    return undefined;
  }
  const { method, path } = policy['other-operations'];
  const told = knowsPath ? method : path;
  const status = statusOf(subject);
  return {
    question: 'other-operations',
    expected: String(told),
    // Nothing says where credentials go in such a request, so that it may have come without any.
    holds: status === told || status === policy['missing-credentials'].status,
  };
}

function holdAccept(subject: Subject, policy: Policy): Held | undefined {
  const { credentials, body, key, accept, invalidParameters } = subject.request;
  const isPlain = body.kind === 'not-expected' || (body.kind === 'valid' && body.grade.kind === 'plain');
  const isTrusted = credentials === 'good' || credentials === 'not-required';
  const isFresh = key === 'allocated' || key === 'twin' || key === 'none';
  if (
    subject.operation === undefined ||
    accept !== 'unmet' ||
    !isPlain ||
    !isTrusted ||
    !isFresh ||
    invalidParameters.length > 0
  ) {
    return undefined;
  }
  const told = declaresExactly(subject.operation, 406) ? 406 : policy.accept;
  const isRefused = statusOf(subject) === 406;
  return { question: 'accept', expected: String(told), holds: isRefused === (told === 406) };
}

const questionsHeld = [holdCredentials, holdMediaType, holdContested, holdOtherOperations, holdAccept];

/**
 * Finds an answer other than the one that the policy gives, in a run that was told to hold the service to
 * its policy. Where the document answers a question itself, the policy is not asked.
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
