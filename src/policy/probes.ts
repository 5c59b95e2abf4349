import type { Answers } from './policy.ts';
import type { Probe } from './probe.ts';
import { acceptProbe } from './probes/accept.ts';
import { acceptedTokensProbe } from './probes/accepted-tokens.ts';
import { authOrderProbe } from './probes/auth-order.ts';
import { bodyLimitProbe } from './probes/body-limit.ts';
import { constraintsProbe } from './probes/constraints.ts';
import { duplicateKeyProbe } from './probes/duplicate-key.ts';
import { duplicateKeysInJsonProbe } from './probes/duplicate-keys-in-json.ts';
import { echoProbe } from './probes/echo.ts';
import { errorCodesProbe } from './probes/error-codes.ts';
import { int64RangeProbe } from './probes/int64-range.ts';
import { integerNotationProbe } from './probes/integer-notation.ts';
import { invalidCredentialsProbe } from './probes/invalid-credentials.ts';
import { missingCredentialsProbe } from './probes/missing-credentials.ts';
import { otherOperationsProbe } from './probes/other-operations.ts';
import { rateLimitProbe } from './probes/rate-limit.ts';
import { responseExtrasProbe } from './probes/response-extras.ts';
import { undeclaredPropertiesProbe } from './probes/undeclared-properties.ts';
import { uniquePropertiesProbe } from './probes/unique-properties.ts';
import { unsupportedMediaTypeProbe } from './probes/unsupported-media-type.ts';
import type { QuestionId } from './question-id.ts';

/** How to ask a running service each question, by its id. */
export const probes: { readonly [Id in QuestionId]: Probe<Answers[Id]> } = {
  'duplicate-key': duplicateKeyProbe,
  'missing-credentials': missingCredentialsProbe,
  'invalid-credentials': invalidCredentialsProbe,
  'accepted-tokens': acceptedTokensProbe,
  'auth-order': authOrderProbe,
  'error-codes': errorCodesProbe,
  'unsupported-media-type': unsupportedMediaTypeProbe,
  'body-limit': bodyLimitProbe,
  constraints: constraintsProbe,
  'unique-properties': uniquePropertiesProbe,
  'undeclared-properties': undeclaredPropertiesProbe,
  'int64-range': int64RangeProbe,
  'integer-notation': integerNotationProbe,
  'duplicate-keys-in-json': duplicateKeysInJsonProbe,
  echo: echoProbe,
  'response-extras': responseExtrasProbe,
  accept: acceptProbe,
  'other-operations': otherOperationsProbe,
  'rate-limit': rateLimitProbe,
};
