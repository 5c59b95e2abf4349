import type { Finding } from '../check/finding.ts';
import type { RequestReading } from '../check/request-reading.ts';
import type { QuestionId } from '../policy/question-id.ts';
import { questions } from '../policy/questions.ts';

/** Which question a status that speaks of what there is already is an answer to. */
function questionOf({ check, cause }: Finding): QuestionId | undefined {
  if (check === 'undeclared-constraint' || check === 'credential-spelling') {
    return 'constraints';
  }
  if (check === 'media-type-spelling') {
    return 'unsupported-media-type';
  }
  if (check !== 'undeclared-status') {
    return undefined;
  }
  // A conflict, what is gone, an unmet condition, a value that does not fit what is there, a lock, a redirection.
  if (/^(?:409|410|412|422|423|424)$/u.test(cause)) {
    return 'unique-properties';
  }
  return /^3\d\d$/u.test(cause) ? 'other-operations' : undefined;
}

/** A body that breaks its schema, or is no JSON, answered with a status for what cannot be processed. */
function isForBrokenBody({ check, cause }: Finding, { body }: Pick<RequestReading, 'body'>): boolean {
  const isBroken = body.kind === 'invalid' || body.kind === 'malformed';
  return isBroken && check === 'undeclared-status' && cause === '422';
}

/**
 * Takes what may come of what the service held before for an observation: a run would send the request again with
 * keys of its own to tell, which passing traffic allows nobody to do.
 *
 * A 422 for a broken body says what is wrong with the body; only where there is a key in it may it speak of what
 * stands under that key, which few services look for first.
 *
 * @param request - that it is about
 */
export function excuseState(finding: Finding, request: Pick<RequestReading, 'body' | 'key'>): Finding {
  if (isForBrokenBody(finding, request)) {
    return request.key === 'none' || finding.level === 'observation'
      ? finding
      : { ...finding, level: 'advice' };
  }
  const question = finding.level === 'observation' ? undefined : questionOf(finding);
  if (question === undefined) {
    return finding;
  }
  const { check, operation, received } = finding;
  return {
    check,
    level: 'observation',
    operation,
    clause: { kind: 'policy', question, quote: questions[question].question },
    expected: 'any of the answers that the question allows',
    received: `a valid request turned away (${received})`,
    cause: `${question} ${received}`,
  };
}
