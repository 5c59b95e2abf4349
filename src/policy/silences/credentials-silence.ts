import type { DeclaredResponse } from '../../contract/declared-response.ts';
import { findExactResponse } from '../../contract/find-exact-response.ts';
import { isOfAnyKind } from '../../contract/is-of-any-kind.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { QuestionSilence } from '../question-silence.ts';
import type { RefusedCredentials } from '../refused-credentials.ts';
import { whyNoCredentials } from './why-no-credentials.ts';

function bodyOf({ media }: DeclaredResponse): RefusedCredentials['body'] {
  if (media.length === 0) {
    return 'empty';
  }
  if (media.every(isOfAnyKind)) {
    return 'other';
  }
  return media.every(({ range }) => range.toLowerCase().startsWith('application/problem+json'))
    ? 'problem'
    : 'error';
}

const challenge: JsonObject = {
  'WWW-Authenticate': {
    description: 'Which credentials are wanted (RFC 9110 §11.6.1).',
    schema: { type: 'string' },
  },
};

/**
 * What a document says of credentials that are not let in: 401 or 403, whichever it declares. Where it declares both, it
 * does not say which is for whom.
 *
 * @param whose - whose credentials: `without credentials`
 */
export function credentialsSilence(whose: string): QuestionSilence<RefusedCredentials> {
  return {
    silence(operation) {
      const why = whyNoCredentials(operation);
      if (why !== undefined) {
        return { kind: 'not-asked', why };
      }
      const unauthorized = findExactResponse(operation, 401);
      const forbidden = findExactResponse(operation, 403);
      if (unauthorized !== undefined && forbidden !== undefined) {
        return {
          kind: 'open',
          says: 'It declares 401 and 403',
          settledBy: `x-cloche-policy would have to say which of the two comes to a request ${whose}`,
        };
      }
      const declared = unauthorized ?? forbidden;
      if (declared === undefined) {
        return {
          kind: 'open',
          settledBy: `The operation would have to declare 401 (or 403), for a request ${whose}`,
        };
      }
      const status = declared === unauthorized ? 401 : 403;
      return {
        kind: 'answered',
        pointer: declared.pointer,
        says: `It declares ${status}`,
        answer: { status, body: bodyOf(declared) },
      };
    },
    declare({ answer }) {
      const { status, body } = answer;
      const description = `A request ${whose}.`;
      const headers = status === 401 ? { headers: challenge } : {};
      return { additions: [{ kind: 'response', status, description, body, ...headers }], answer };
    },
  };
}
