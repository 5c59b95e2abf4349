import type { Boundary } from '../../check/boundary.ts';
import { describeReceived, describeRequest, describeTrigger, nameOperation } from '../../check/describe.ts';
import {
  type CheckId,
  type Clause,
  type Finding,
  type ParityVerdict,
  quoteResponses,
} from '../../check/finding.ts';
import { isAccepted, statusOf } from '../../check/classify/answer.ts';
import { undeclaredProperty } from '../../check/classify/body.ts';
import { isPlainOrNone, isTrusted } from '../../check/classify/request.ts';
import { shownBehaviours } from '../../check/drift/drift.ts';
import { readAnswerMembers, undeclaredMembers } from '../../check/drift/observed.ts';
import { sendsReadOnly } from '../../check/drift/resources.ts';
import type { CheckedExchange } from '../../check/classify/subject.ts';
import { undeclaredFinder } from '../../contract/list-parameters.ts';
import { isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { type EnforcedPolicy, type Policy, policyOf } from '../../policy/policy.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
import type { Against } from '../../session/target.ts';
import { answerOfBoundary } from './answer-of-boundary.ts';
import { type Difference, findDifference } from './compare.ts';

/** The minimum size in bytes of a body that may show a limit. */
const smallestLargeBody = 16_384;

/** Returns the behaviour in which two services may differ for credentials that are not good. */
function explainCredentials(
  mine: CheckedExchange,
  { missing, rejectedStatus }: { readonly missing: boolean; readonly rejectedStatus: number | undefined },
): BehaviourId | undefined {
  const { body, invalidParameters } = mine.request;
  const isOtherwiseFine = isPlainOrNone(mine.request) && invalidParameters.length === 0;
  const isOfOrder = !isOtherwiseFine && rejectedStatus !== undefined && rejectedStatus !== statusOf(mine);
  if (isOfOrder) {
    // A body that is not JSON may be parsed first, so it does not show the order of checks.
    return body.kind === 'malformed' ? undefined : 'auth-order';
  }
  if (missing) return 'missing-credentials';
  return isAccepted(mine.answer) ? 'accepted-tokens' : 'invalid-credentials';
}

/** Returns whether the mutations of a body include undeclared properties. */
function isAboutUndeclared({ request: { body } }: CheckedExchange): boolean {
  return (
    body.kind === 'valid' &&
    body.grade.kind === 'extreme' &&
    body.grade.mutations.some(({ words }) => words === undeclaredProperty)
  );
}

function explainBody(mine: CheckedExchange, other: CheckedExchange, policy: Policy): BehaviourId | undefined {
  const { body, key, bodyBytes } = mine.request;
  const statuses = [statusOf(mine), statusOf(other)];
  const isAcceptedOnce = isAccepted(mine.answer) !== isAccepted(other.answer);
  if (bodyBytes > policy['body-limit'].bytes || (statuses.includes(413) && bodyBytes >= smallestLargeBody)) {
    return 'body-limit';
  }
  if (statuses.includes(411) && mine.request.framing === 'chunked') return undefined;
  if (body.kind === 'other-media') return 'unsupported-media-type';
  if (body.kind === 'valid' && key !== 'sent' && isAcceptedOnce && statuses.includes(409)) {
    return 'unique-properties';
  }
  // These statuses are about the items in its path.
  if (statuses.includes(404) || statuses.includes(410)) return undefined;
  if (mine.request.accept !== 'met') return statuses.includes(406) ? 'accept' : undefined;
  if (body.kind !== 'valid') return undefined;
  if (key === 'sent') return 'duplicate-key';
  // If both reject it, the reason may be another part of the request, not its ambiguous part.
  if (body.grade.kind === 'ambiguous' && (isAcceptedOnce || isAccepted(mine.answer))) {
    return body.grade.questions[0];
  }
  if (!isAcceptedOnce) return undefined;
  if (sendsReadOnly(mine)) return 'read-only-sent';
  return isAboutUndeclared(mine) ? 'undeclared-properties' : 'constraints';
}

/** The responses of two services to one request, and the policy enforced for the reference service. */
interface ParityInput extends Pick<EnforcedPolicy, 'policy' | 'enforced'> {
  readonly mine: CheckedExchange;
  readonly other: CheckedExchange;
  readonly names: Against['names'];
  readonly rejectedStatus: number | undefined;
}

/**
 * Returns the behaviour by which two services that conform to the contract may respond differently. `rejectedStatus` is the
 * status of plain requests with these credentials, undefined if none was sent.
 */
function explainDifference(
  input: Omit<ParityInput, 'names' | 'enforced'> & { readonly what: Difference['what'] },
): BehaviourId | undefined {
  const { mine, other, what, policy, rejectedStatus } = input;
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
    return explainCredentials(mine, { missing: isMissing, rejectedStatus });
  }
  const isRejected = [statusOf(mine), statusOf(other)].some((status) => status === 401 || status === 403);
  const isAuthorized = isTrusted(mine.request) || (credentials === 'good-unusual' && !isRejected);
  const mayExplain = isAuthorized && mine.request.invalidParameters.length === 0;
  const question = mayExplain ? explainBody(mine, other, policy) : undefined;
  return question === undefined && what === 'members' ? 'echo' : question;
}

/** Returns whether a policy already contains a value, or its observed members. */
function isSaid(said: JsonValue | undefined, seen: JsonValue): boolean {
  if (said === undefined || !isJsonObject(said) || !isJsonObject(seen)) {
    return said !== undefined && jsonEqual(said, seen);
  }
  return Object.entries(seen).every(([name, value]) => isSaid(said[name], value));
}

/** Checks whose warnings cause no difference, or one that a behaviour describes. */
const asides = new Set<CheckId>([
  'undeclared-constraint',
  'int64-range',
  'echo',
  'www-authenticate',
  'allow',
  'transfer-encoding',
]);

/** Checks that already warn if a service decides a behaviour differently. */
const warnedOn: ReadonlyMap<BehaviourId, CheckId> = new Map([
  ['constraints', 'undeclared-constraint'],
  ['undeclared-properties', 'undeclared-constraint'],
  ['int64-range', 'int64-range'],
  ['echo', 'echo'],
]);

/** Returns the findings about one of two responses that the other does not share. */
function faultsOf(judged: CheckedExchange, beside: CheckedExchange): readonly Finding[] {
  // A warning counts only if one service alone accepts: two rejections may have different reasons.
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

function clauseOf(mine: CheckedExchange, question: BehaviourId | undefined): Clause {
  if (question !== undefined) return { kind: 'policy', question, quote: behaviours[question].question };
  return mine.operation === undefined
    ? { kind: 'document', pointer: '', quote: 'declares no such operation' }
    : quoteResponses(mine.operation);
}

/**
 * Compares the responses of two services to one request, by the policy of the reference service. If one of them
 * contradicts the contract, it is at fault. If neither does, the contract does not specify the behaviour. A fault of
 * the service under test is already a finding and only marked. A fault of the reference service, and an unspecified
 * behaviour, are findings of the check `parity`.
 */
export function judgeParity(input: ParityInput): {
  readonly judged: CheckedExchange;
  readonly differs: boolean;
} {
  const { mine, other, names, enforced, rejectedStatus } = input;
  const faults = faultsOf(mine, other);
  const [fault] = faultsOf(other, mine);
  const difference = findDifference(mine, other);
  // A warning alone is not a difference.
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
    const about = explainDifference({ mine, other, what, policy, rejectedStatus });
    const read = about === undefined ? undefined : shownBehaviours[about]?.observe?.(mine, policy);
    // If the reference service is known to respond the same way, the behaviour does not explain the difference.
    const isAnsweredAlike =
      about !== undefined &&
      read !== undefined &&
      enforced.has(about) &&
      // `as`: values come from a policy file.
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
      // The behaviour already describes the trigger.
      ...(question === undefined || question === 'constraints' ? describeTrigger(mine.request) : {}),
    };
    return { ...mine, findings: [...mine.findings, mark(finding, verdict)] };
  }
}

/** Returns another behaviour that may explain a difference, if the request has several possible causes. */
function alternativeOf(
  mine: CheckedExchange,
  what: Difference['what'],
  question: BehaviourId | undefined,
): BehaviourId | undefined {
  const { body } = mine.request;
  if (what === 'members') return question === 'echo' ? undefined : 'echo';
  const isAmbiguous = body.kind === 'valid' && body.grade.kind === 'ambiguous';
  return isAmbiguous && undeclaredMembers(mine).length > 0 ? 'undeclared-properties' : undefined;
}

/** Returns one cause for all responses of the same kind, for any body. */
function causeOf(question: BehaviourId, words: Difference['words'], answer: unknown): string {
  // Sizes are generated, and names depend on how far the body was shrunk.
  if (question === 'body-limit' || question === 'unique-properties') return `${question}: ${words[0]}`;
  return answer === undefined
    ? `${question}: ${words[0]} / ${words[1]}`
    : `${question}: ${JSON.stringify(answer)}`;
}

/** Returns the policy behaviour and value of a limit, if its finding is a difference between two services. */
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
