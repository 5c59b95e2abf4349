import type { QuestionId } from '../policy/question-id.ts';
import type { CheckContext } from './check-context.ts';
import type { Subject } from './exchange-check.ts';

/** Statuses that speak of something else than credentials, where there is that (RFC 9110 §15.5, RFC 6585 §4). */
const ofOthers: ReadonlySet<number> = new Set([406, 409, 411, 413, 415, 422, 429]);

/**
 * The question that an undeclared status answers: credentials, media types, sizes, repeated keys and the
 * like are matters of which a document that does not speak of them says nothing.
 *
 * @returns undefined where nothing in the request explains the status
 */
export function explainStatus(
  { request, answer, operation }: Subject,
  context: CheckContext,
): QuestionId | undefined {
  if (answer.kind === 'none') {
    return undefined;
  }
  const { status } = answer.response;
  const { body, credentials, key } = request;
  const isClientError = status >= 400 && status < 500;
  const turnsAway = status >= 300 && status < 500;
  if (turnsAway && (credentials === 'missing' || credentials === 'other' || credentials === 'good-unusual')) {
    return 'missing-credentials';
  }
  const mayBeBad = credentials === 'unjudged' && turnsAway;
  if ((credentials === 'unknown-token' && turnsAway) || (mayBeBad && !ofOthers.has(status))) {
    return 'invalid-credentials';
  }
  if (body.kind === 'other-media' && (status === 415 || status === 406)) {
    return 'unsupported-media-type';
  }
  if (request.mediaTypeSpelling === 'unusual' && status === 415) {
    return 'unsupported-media-type';
  }
  if (status === 413 && request.bodyBytes > Math.max(context.longestPlainBody, 1_024)) {
    return 'body-limit';
  }
  const limit = context.policy['body-limit'];
  if (context.told.has('body-limit') && status === limit.status && request.bodyBytes > limit.bytes) {
    return 'body-limit';
  }
  if (status === 411 && request.framing === 'chunked') {
    return 'body-limit';
  }
  if (body.kind === 'valid' && body.grade.kind === 'contested' && isClientError) {
    return body.grade.questions[0] ?? 'constraints';
  }
  if (
    (key === 'sent' || key === 'chosen' || key === 'twin') &&
    body.kind === 'valid' &&
    (turnsAway || (key === 'sent' && status < 300))
  ) {
    return 'duplicate-key';
  }
  // Where plain requests are taken, 409 speaks of what there is already: another property may have to be unique.
  const isTaken = operation !== undefined && context.taken.has(operation.id);
  const mayBeUnique =
    !context.told.has('unique-properties') || context.policy['unique-properties'].length > 0;
  if (status === 409 && body.kind === 'valid' && isTaken && mayBeUnique) {
    return 'unique-properties';
  }
  if (status === 406 && request.accept !== 'met') {
    return 'accept';
  }
  if (status === 429 || status === 503) {
    return 'rate-limit';
  }
  return mayBeBad ? 'invalid-credentials' : undefined;
}
