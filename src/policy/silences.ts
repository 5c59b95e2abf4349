import type { Answers } from './policy.ts';
import type { QuestionId } from './question-id.ts';
import type { QuestionSilence } from './question-silence.ts';
import { acceptSilence } from './silences/accept.ts';
import { acceptedTokensSilence } from './silences/accepted-tokens.ts';
import { authOrderSilence } from './silences/auth-order.ts';
import { bodyLimitSilence } from './silences/body-limit.ts';
import { constraintsSilence } from './silences/constraints.ts';
import { duplicateKeySilence } from './silences/duplicate-key.ts';
import { duplicateKeysInJsonSilence } from './silences/duplicate-keys-in-json.ts';
import { echoSilence } from './silences/echo.ts';
import { errorCodesSilence } from './silences/error-codes.ts';
import { int64RangeSilence } from './silences/int64-range.ts';
import { integerNotationSilence } from './silences/integer-notation.ts';
import { invalidCredentialsSilence } from './silences/invalid-credentials.ts';
import { missingCredentialsSilence } from './silences/missing-credentials.ts';
import { otherOperationsSilence } from './silences/other-operations.ts';
import { rateLimitSilence } from './silences/rate-limit.ts';
import { responseExtrasSilence } from './silences/response-extras.ts';
import { undeclaredPropertiesSilence } from './silences/undeclared-properties.ts';
import { uniquePropertiesSilence } from './silences/unique-properties.ts';
import { unsupportedMediaTypeSilence } from './silences/unsupported-media-type.ts';

/** What a document says to each question, and how it can be made to, by its id. */
export const silences: { readonly [Id in QuestionId]: QuestionSilence<Answers[Id]> } = {
  'duplicate-key': duplicateKeySilence,
  'missing-credentials': missingCredentialsSilence,
  'invalid-credentials': invalidCredentialsSilence,
  'accepted-tokens': acceptedTokensSilence,
  'auth-order': authOrderSilence,
  'error-codes': errorCodesSilence,
  'unsupported-media-type': unsupportedMediaTypeSilence,
  'body-limit': bodyLimitSilence,
  constraints: constraintsSilence,
  'unique-properties': uniquePropertiesSilence,
  'undeclared-properties': undeclaredPropertiesSilence,
  'int64-range': int64RangeSilence,
  'integer-notation': integerNotationSilence,
  'duplicate-keys-in-json': duplicateKeysInJsonSilence,
  echo: echoSilence,
  'response-extras': responseExtrasSilence,
  accept: acceptSilence,
  'other-operations': otherOperationsSilence,
  'rate-limit': rateLimitSilence,
};
