import type { Judged } from '../../check/judged.ts';
import type { Condition } from '../../policy/condition.ts';

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
      return key === 'sent' ? 'duplicate-key' : undefined;
    case 'not-expected':
    case 'unjudged':
      return undefined;
  }
}
