import type { Boundary } from '../../check/boundary.ts';
import { describeReceived, describeRequest, describeTrigger, nameOperation } from '../../check/describe.ts';
import {
  type CheckId,
  type Clause,
  type Finding,
  type ParityVerdict,
  quoteResponses,
} from '../../check/finding.ts';
import { isAccepted, statusOf } from '../../check/reading/answer.ts';
import { undeclaredProperty } from '../../check/reading/body.ts';
import { isPlainOrNone, isTrusted } from '../../check/reading/request.ts';
import { observers } from '../../check/drift/drift.ts';
import { readAnswerMembers, undeclaredMembers } from '../../check/drift/observed.ts';
import type { CheckedExchange } from '../../check/reading/subject.ts';
import { undeclaredFinder } from '../../contract/list-parameters.ts';
import { listReadOnly } from '../../contract/request-facts.ts';
import { memberAt } from '../../json/pointer.ts';
import { isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { type HeldPolicy, type Policy, policyOf } from '../../policy/policy.ts';
import type { QuestionId } from '../../policy/question.ts';
import { questions } from '../../policy/questions/index.ts';
import type { Against } from '../../session/target.ts';
import { answerOfBoundary } from './answer-of-boundary.ts';
import { type Difference, findDifference } from './compare.ts';

/** Bodies from this many bytes on tell of a limit. */
const smallestLargeBody = 16_384;

/** What two services may disagree about in credentials that are not good. */
function explainCredentials(
  mine: CheckedExchange,
  { missing, turnedAway }: { readonly missing: boolean; readonly turnedAway: number | undefined },
): QuestionId | undefined {
  const { body, invalidParameters } = mine.request;
  const isOtherwiseFine = isPlainOrNone(mine.request) && invalidParameters.length === 0;
  const isOfOrder = !isOtherwiseFine && turnedAway !== undefined && turnedAway !== statusOf(mine);
  if (isOfOrder) {
    // What is no JSON may be read before anything else is looked at, and shows nothing of the order of checks.
    return body.kind === 'malformed' ? undefined : 'auth-order';
  }
  if (missing) return 'missing-credentials';
  return isAccepted(mine.answer) ? 'accepted-tokens' : 'invalid-credentials';
}

/** Whether something that is unusual in a body are properties that the document does not name. */
function isAboutUndeclared({ request: { body } }: CheckedExchange): boolean {
  return (
    body.kind === 'valid' &&
    body.grade.kind === 'extreme' &&
    body.grade.oddities.some(({ words }) => words === undeclaredProperty)
  );
}

/** Whether a body has a property that is for the service alone. */
function sendsReadOnly({ operation, request: { body } }: CheckedExchange): boolean {
  const kind = operation?.kind;
  const sent =
    kind !== undefined && 'request' in kind && body.kind === 'valid'
      ? memberAt(body.value, kind.request)
      : undefined;
  return (
    operation !== undefined &&
    isJsonObject(sent) &&
    listReadOnly(operation).some((name) => Object.hasOwn(sent, name))
  );
}

function explainBody(mine: CheckedExchange, other: CheckedExchange, policy: Policy): QuestionId | undefined {
  const { body, key, bodyBytes } = mine.request;
  const statuses = [statusOf(mine), statusOf(other)];
  const isTakenOnce = isAccepted(mine.answer) !== isAccepted(other.answer);
  if (bodyBytes > policy['body-limit'].bytes || (statuses.includes(413) && bodyBytes >= smallestLargeBody)) {
    return 'body-limit';
  }
  if (statuses.includes(411) && mine.request.framing === 'chunked') return undefined;
  if (body.kind === 'other-media') return 'unsupported-media-type';
  if (body.kind === 'valid' && key !== 'sent' && isTakenOnce && statuses.includes(409)) {
    return 'unique-properties';
  }
  // That is about what its path names.
  if (statuses.includes(404) || statuses.includes(410)) return undefined;
  if (mine.request.accept !== 'met') return statuses.includes(406) ? 'accept' : undefined;
  if (body.kind !== 'valid') return undefined;
  if (key === 'sent') return 'duplicate-key';
  // Two that refuse it may do so for what it shares with another, not for what is contested in it.
  if (body.grade.kind === 'contested' && (isTakenOnce || isAccepted(mine.answer))) {
    return body.grade.questions[0];
  }
  if (!isTakenOnce) return undefined;
  if (sendsReadOnly(mine)) return 'read-only-sent';
  return isAboutUndeclared(mine) ? 'undeclared-properties' : 'constraints';
}

/** What two services answered to one request, and what the other one is held to. */
interface ParityInput extends Pick<HeldPolicy, 'policy' | 'enforced'> {
  readonly mine: CheckedExchange;
  readonly other: CheckedExchange;
  readonly names: Against['names'];
  readonly turnedAway: number | undefined;
}

/**
 * The question by which two services that both keep to the contract may answer one request differently. `turnedAway`
 * is the status that plain requests with such credentials get, undefined as long as none was sent.
 */
function explainDifference(
  input: Omit<ParityInput, 'names' | 'enforced'> & { readonly what: Difference['what'] },
): QuestionId | undefined {
  const { mine, other, what, policy, turnedAway } = input;
  const { credentials } = mine.request;
  if (what === 'answer') return undefined;
  if (mine.operation === undefined) return 'other-operations';
  if (what === 'code') return 'error-codes';
  if (what === 'more') {
    const [left, right] = [readAnswerMembers(mine), readAnswerMembers(other)];
    return left?.own.join('\0') === right?.own.join('\0') ? 'undeclared-properties' : 'response-extras';
  }
  if (
    undeclaredFinder(mine.operation)(mine.exchange.request.target) !== undefined &&
    isTrusted(mine.request)
  ) {
    return 'unknown-query-parameter';
  }
  const isMissing = credentials === 'missing' || credentials === 'other';
  if (isMissing || credentials === 'unknown-token') {
    return explainCredentials(mine, { missing: isMissing, turnedAway });
  }
  const isTurnedAway = [statusOf(mine), statusOf(other)].some((status) => status === 401 || status === 403);
  const isLetIn = isTrusted(mine.request) || (credentials === 'good-unusual' && !isTurnedAway);
  const mayExplain = isLetIn && mine.request.invalidParameters.length === 0;
  const question = mayExplain ? explainBody(mine, other, policy) : undefined;
  return question === undefined && what === 'members' ? 'echo' : question;
}

/** Whether a policy says an answer, or the members of it that were seen, already. */
function isSaid(said: JsonValue | undefined, seen: JsonValue): boolean {
  if (said === undefined || !isJsonObject(said) || !isJsonObject(seen)) {
    return said !== undefined && jsonEqual(said, seen);
  }
  return Object.entries(seen).every(([name, value]) => isSaid(said[name], value));
}

/** Warning that no difference comes of, or one that a question is about. */
const asides = new Set<CheckId>([
  'undeclared-constraint',
  'int64-range',
  'echo',
  'www-authenticate',
  'allow',
  'transfer-encoding',
]);

/** What is warned of already where a service answers a question its own way. */
const warnedOn: ReadonlyMap<QuestionId, CheckId> = new Map([
  ['constraints', 'undeclared-constraint'],
  ['undeclared-properties', 'undeclared-constraint'],
  ['int64-range', 'int64-range'],
  ['echo', 'echo'],
]);

/** What is held against one of two answers, and not against the other. */
function faultsOf(judged: CheckedExchange, beside: CheckedExchange): readonly Finding[] {
  // Warned of is what one of them does alone: two that refuse a request may each have a reason of its own.
  const isAlone = isAccepted(judged.answer) !== isAccepted(beside.answer);
  const isShared = (finding: Finding): boolean =>
    beside.findings.some(({ check, cause }) => check === finding.check && cause === finding.cause);
  return judged.findings.filter(
    (finding) =>
      !isShared(finding) &&
      (finding.level === 'violation' ||
        (finding.level === 'warning' && isAlone && !asides.has(finding.check))),
  );
}

function clauseOf(mine: CheckedExchange, question: QuestionId | undefined): Clause {
  if (question !== undefined) return { kind: 'policy', question, quote: questions[question].question };
  return mine.operation === undefined
    ? { kind: 'document', pointer: '', quote: 'declares no such operation' }
    : quoteResponses(mine.operation);
}

/**
 * Holds what a service answered against what another one did to the same request, by the policy of the other. Where
 * one of the two contradicts the contract, it is wrong; where neither does, the contract is silent. A fault of the
 * service under test is a finding of its own, which is only marked; a fault of the other, and what the contract is
 * silent about, are findings of the check `parity`.
 */
export function judgeParity(input: ParityInput): {
  readonly judged: CheckedExchange;
  readonly differs: boolean;
} {
  const { mine, other, names, enforced, turnedAway } = input;
  const faults = faultsOf(mine, other);
  const [fault] = faultsOf(other, mine);
  const difference = findDifference(mine, other);
  // Warning alone is no difference.
  const isWrong = [...faults, ...(fault === undefined ? [] : [fault])].some(
    ({ level }) => level === 'violation',
  );
  if (difference === undefined && !isWrong) return { judged: mine, differs: false };
  const answered = describeReceived(other.answer);

  function mark(finding: Finding, verdict: ParityVerdict): Finding {
    return { ...finding, parity: { ...names, answered, verdict } };
  }

  if (faults.length > 0 || fault !== undefined) {
    const marked = mine.findings.map((finding) =>
      faults.includes(finding) ? mark(finding, { kind: 'tested-wrong' }) : finding,
    );
    const found = fault === undefined ? [] : [mark(tell(fault), { kind: 'other-wrong' })];
    return { judged: { ...mine, findings: [...marked, ...found] }, differs: true };
  }
  return { judged: difference === undefined ? mine : explain(difference), differs: true };

  function tell(finding: Finding): Finding {
    const { check, level, operation, clause, cause, trigger, otherTriggers } = finding;
    return {
      check: 'parity',
      level,
      operation,
      clause,
      expected: finding.expected,
      received: `${finding.received}, from ${names.other}`,
      cause: `${check} ${cause}`,
      ...(trigger === undefined ? {} : { trigger }),
      ...(otherTriggers === undefined ? {} : { otherTriggers }),
    };
  }

  function explain({ what, words }: Difference): CheckedExchange {
    const policy = policyOf(input.policy, mine.operation?.id);
    const about = explainDifference({ mine, other, what, policy, turnedAway });
    const read = about === undefined ? undefined : observers[about]?.(mine, policy);
    // Where the other service is known to answer so too, the question does not tell them apart.
    const isAnsweredAlike =
      about !== undefined &&
      read !== undefined &&
      enforced.has(about) &&
      // `as`: an answer is what a policy file holds.
      isSaid(policy[about] as unknown as JsonValue, read);
    const [question, answer] = isAnsweredAlike ? [undefined, undefined] : [about, read];
    const unless = alternativeOf(mine, what, question);
    const verdict: ParityVerdict = {
      kind: 'silent',
      question,
      answer,
      ...(unless === undefined ? {} : { unless }),
    };
    const warned = question && warnedOn.get(question);
    if (mine.findings.some(({ check }) => check === warned)) {
      const marked = mine.findings.map((finding) =>
        finding.check === warned ? mark(finding, verdict) : finding,
      );
      return { ...mine, findings: marked };
    }
    const finding: Finding = {
      check: 'parity',
      level: 'warning',
      operation: nameOperation(mine),
      clause: clauseOf(mine, question),
      expected: `${words[1]}, as ${names.other} answers${question === undefined ? ` ${describeRequest(mine.request)}` : ''}`,
      received: words[0],
      cause: question === undefined ? `${what}: ${words[0]} / ${words[1]}` : causeOf(question, words, answer),
      // What a question is about is what brings it about.
      ...(question === undefined || question === 'constraints' ? describeTrigger(mine.request) : {}),
    };
    return { ...mine, findings: [...mine.findings, mark(finding, verdict)] };
  }
}

/** What may be behind a difference as well, where the request has more than one thing to disagree about. */
function alternativeOf(
  mine: CheckedExchange,
  what: Difference['what'],
  question: QuestionId | undefined,
): QuestionId | undefined {
  const { body } = mine.request;
  if (what === 'members') return question === 'echo' ? undefined : 'echo';
  const isContested = body.kind === 'valid' && body.grade.kind === 'contested';
  return isContested && undeclaredMembers(mine).length > 0 ? 'undeclared-properties' : undefined;
}

/** Answers of one kind are one cause, whatever body shows them. */
function causeOf(question: QuestionId, words: Difference['words'], answer: unknown): string {
  // Sizes are generated, and names hang on how small the body is.
  if (question === 'body-limit' || question === 'unique-properties') return `${question}: ${words[0]}`;
  return answer === undefined
    ? `${question}: ${words[0]} / ${words[1]}`
    : `${question}: ${JSON.stringify(answer)}`;
}

/** Says how a policy names a limit, where what it stands for was seen to set two services apart. */
export function markBoundary(
  { parity }: Pick<Finding, 'parity'>,
  boundary: Boundary,
  judged: Pick<CheckedExchange, 'answer'>,
): Pick<Finding, 'parity'> {
  if (parity?.verdict.kind !== 'silent') return {};
  const said = answerOfBoundary(boundary, statusOf(judged));
  return {
    parity: {
      ...parity,
      verdict: { kind: 'silent', question: said?.question ?? 'constraints', answer: said?.answer },
    },
  };
}
