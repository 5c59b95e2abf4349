import type { QuestionId } from '../../policy/question.ts';
import { questions } from '../../policy/questions/index.ts';
import { describeReceived, nameOperation } from '../describe.ts';
import { statusOf } from '../reading/answer.ts';
import type { ExchangeCheck } from '../reading/subject.ts';
import {
  holdAccept,
  holdEcho,
  holdErrorCodes,
  holdOtherOperations,
  holdRateLimit,
  holdResponseExtras,
} from './answer.ts';
import {
  holdBodyLimit,
  holdConstraints,
  holdDuplicateKeysInJson,
  holdInt64Range,
  holdIntegerNotation,
  holdMediaType,
  holdUndeclaredProperties,
} from './body.ts';
import {
  holdAcceptedTokens,
  holdAuthOrder,
  holdInvalidCredentials,
  holdMissingCredentials,
} from './credentials.ts';
import { findConcerns, type Hold } from './evidence.ts';

/** What one exchange can show; repeated keys, values that have to be unique and a limit that is kept take several. */
const holds: readonly (readonly [QuestionId, Hold])[] = [
  ['auth-order', holdAuthOrder],
  ['missing-credentials', holdMissingCredentials],
  ['invalid-credentials', holdInvalidCredentials],
  ['accepted-tokens', holdAcceptedTokens],
  ['unsupported-media-type', holdMediaType],
  ['body-limit', holdBodyLimit],
  ['constraints', holdConstraints],
  ['undeclared-properties', holdUndeclaredProperties],
  ['int64-range', holdInt64Range],
  ['integer-notation', holdIntegerNotation],
  ['duplicate-keys-in-json', holdDuplicateKeysInJson],
  ['accept', holdAccept],
  ['other-operations', holdOtherOperations],
  ['echo', holdEcho],
  ['response-extras', holdResponseExtras],
  ['rate-limit', holdRateLimit],
  ['error-codes', holdErrorCodes],
];

/** What may be shown where an answer speaks of the moment, not of the request. */
const ofTheMoment = new Set<QuestionId>(['rate-limit', 'error-codes']);
const passing = new Set([408, 425, 429]);

/**
 * Finds an answer other than the one that the policy gives, to a question that the run was told to hold the service
 * to. Where the document answers a question itself, the policy is not asked; and where a request holds more than one
 * thing that might explain the answer, nothing is concluded.
 *
 * @example 403 for a request without credentials, where the policy says 401
 */
export const checkDrift: ExchangeCheck = (subject, context) => {
  const { told } = context;
  const status = statusOf(subject);
  // A server error is a finding of its own; 501 may be what another method is answered.
  if (told.size === 0 || status === 0 || (status >= 500 && status !== 501)) return undefined;
  const input = { subject, context, concerns: findConcerns(subject, context) };
  for (const [question, hold] of holds) {
    const isAsked = told.has(question) && (!passing.has(status) || ofTheMoment.has(question));
    const held = isAsked ? hold(input) : undefined;
    if (held !== undefined && !held.holds) {
      return {
        check: 'drift',
        level: 'violation',
        operation: nameOperation(subject),
        clause: { kind: 'policy', question, quote: questions[question].question },
        expected: held.expected,
        received: held.received ?? describeReceived(subject.answer),
        cause: `${question} ${status}`,
      };
    }
  }
  return undefined;
};
