import type { Judged } from '../../check/judged.ts';
import type { Condition } from '../../policy/condition.ts';
import type { QuestionId } from '../../policy/question-id.ts';

const ofIntegers = new Set<QuestionId>(['int64-range', 'integer-notation']);

/** The reason for which a request is refused, as far as the request alone tells it. */
export function readCondition({ request, operation }: Judged): Condition | undefined {
  const { credentials, body, accept, invalidParameters, key, bodyBytes } = request;
  if (operation === undefined) {
    return undefined;
  }
  if (credentials === 'missing' || credentials === 'other') {
    return 'missing-credentials';
  }
  if (credentials === 'unknown-token') {
    return 'invalid-credentials';
  }
  if (invalidParameters.length > 0) {
    return 'invalid-parameter';
  }
  if (accept !== 'met') {
    return 'not-acceptable';
  }
  switch (body.kind) {
    case 'malformed':
      return bodyBytes === 0 ? 'missing-body' : 'malformed-body';
    case 'invalid':
      return 'invalid-body';
    case 'other-media':
      return 'unsupported-media-type';
    case 'valid':
      if (key === 'sent') {
        return 'duplicate-key';
      }
      // Who does not take such an integer takes the body for one that breaks its schema.
      return body.grade.kind === 'contested' && body.grade.questions.every((id) => ofIntegers.has(id))
        ? 'invalid-body'
        : undefined;
    case 'not-expected':
    case 'unjudged':
      return undefined;
  }
}
