import type { Judged } from '../../check/judged.ts';
import { classifyStatus } from '../../check/status-class.ts';
import { undeclaredProperty } from '../../check/undeclared-property.ts';
import type { Policy } from '../../policy/policy.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import type { Difference } from './find-difference.ts';
import { readAnswerMembers } from './read-answer-members.ts';

/** Bodies from this many bytes on tell of a limit. */
const smallestLargeBody = 16_384;

function statusOf({ answer }: Judged): number {
  return answer.kind === 'none' ? 0 : answer.response.status;
}

/** What two services may disagree about in credentials that are not good. */
function explainCredentials(
  mine: Judged,
  { missing, turnedAway }: { readonly missing: boolean; readonly turnedAway: number | undefined },
): QuestionId | undefined {
  const { body, invalidParameters } = mine.request;
  const isPlain = body.kind === 'not-expected' || (body.kind === 'valid' && body.grade.kind === 'plain');
  const isOtherwiseFine = isPlain && invalidParameters.length === 0;
  const isOfOrder = !isOtherwiseFine && turnedAway !== undefined && turnedAway !== statusOf(mine);
  if (isOfOrder) {
    // What is no JSON may be read before anything else is looked at, and shows nothing of the order of checks.
    return body.kind === 'malformed' ? undefined : 'auth-order';
  }
  if (missing) {
    return 'missing-credentials';
  }
  return classifyStatus(mine.answer) === 'accepted' ? 'accepted-tokens' : 'invalid-credentials';
}

/** Whether something that is unusual in a body are properties that the document does not name. */
function isAboutUndeclared({ request: { body } }: Judged): boolean {
  return (
    body.kind === 'valid' &&
    body.grade.kind === 'extreme' &&
    body.grade.oddities.some(({ words }) => words === undeclaredProperty)
  );
}

function explainBody(mine: Judged, other: Judged, policy: Policy): QuestionId | undefined {
  const { body, key, bodyBytes } = mine.request;
  const statuses = [statusOf(mine), statusOf(other)];
  const isTakenOnce =
    (classifyStatus(mine.answer) === 'accepted') !== (classifyStatus(other.answer) === 'accepted');
  if (bodyBytes > policy['body-limit'].bytes || (statuses.includes(413) && bodyBytes >= smallestLargeBody)) {
    return 'body-limit';
  }
  if (statuses.includes(411) && mine.request.framing === 'chunked') {
    return undefined;
  }
  if (body.kind === 'other-media') {
    return 'unsupported-media-type';
  }
  if (body.kind === 'valid' && key !== 'sent' && isTakenOnce && statuses.includes(409)) {
    return 'unique-properties';
  }
  if (mine.request.accept !== 'met') {
    return statuses.includes(406) ? 'accept' : undefined;
  }
  if (body.kind !== 'valid') {
    return undefined;
  }
  if (key === 'sent') {
    return 'duplicate-key';
  }
  // Two that refuse it may do so for what it shares with another, not for what is contested in it.
  if (body.grade.kind === 'contested' && (isTakenOnce || classifyStatus(mine.answer) === 'accepted')) {
    return body.grade.questions[0];
  }
  if (!isTakenOnce) {
    return undefined;
  }
  return isAboutUndeclared(mine) ? 'undeclared-properties' : 'constraints';
}

/**
 * The question by which two services that both keep to the contract may answer one request differently.
 *
 * @param input.policy - that of the other service, as far as it is known
 * @param input.turnedAway - the status that the service under test gives plain requests with such credentials,
 *   undefined as long as none was sent
 * @returns undefined where there is no such question
 */
export function explainDifference(input: {
  readonly mine: Judged;
  readonly other: Judged;
  readonly difference: Difference;
  readonly policy: Policy;
  readonly turnedAway: number | undefined;
}): QuestionId | undefined {
  const { mine, other, difference, policy, turnedAway } = input;
  const { credentials } = mine.request;
  if (difference.what === 'answer') {
    return undefined;
  }
  if (mine.operation === undefined) {
    return 'other-operations';
  }
  if (difference.what === 'code') {
    return 'error-codes';
  }
  if (difference.what === 'more') {
    const [left, right] = [readAnswerMembers(mine), readAnswerMembers(other)];
    return left?.own.join('\0') === right?.own.join('\0') ? 'undeclared-properties' : 'response-extras';
  }
  const isMissing = credentials === 'missing' || credentials === 'other';
  if (isMissing || credentials === 'unknown-token') {
    return explainCredentials(mine, { missing: isMissing, turnedAway });
  }
  const isTurnedAway = [statusOf(mine), statusOf(other)].some((status) => status === 401 || status === 403);
  const isTrusted =
    credentials === 'good' ||
    credentials === 'not-required' ||
    (credentials === 'good-unusual' && !isTurnedAway);
  const mayExplain = isTrusted && mine.request.invalidParameters.length === 0;
  const question = mayExplain ? explainBody(mine, other, policy) : undefined;
  return question === undefined && difference.what === 'members' ? 'echo' : question;
}
