import type { FindMask, Probe, QuestionId, QuestionSilence } from '../question.ts';
import { accept, acceptProbe, acceptSilence } from './accept.ts';
import { bodyLimit, bodyLimitProbe, bodyLimitSilence } from './body-limit.ts';
import { constraints, constraintsMask, constraintsProbe, constraintsSilence } from './constraints.ts';
import {
  acceptedTokens,
  acceptedTokensProbe,
  acceptedTokensSilence,
  authOrder,
  authOrderProbe,
  authOrderSilence,
  invalidCredentials,
  invalidCredentialsMask,
  invalidCredentialsProbe,
  invalidCredentialsSilence,
  missingCredentials,
  missingCredentialsProbe,
  missingCredentialsSilence,
} from './credentials.ts';
import { duplicateKey, duplicateKeyProbe, duplicateKeySilence } from './duplicate-key.ts';
import {
  duplicateKeysInJson,
  duplicateKeysInJsonProbe,
  duplicateKeysInJsonSilence,
} from './duplicate-keys-in-json.ts';
import { echo, echoProbe, echoSilence } from './echo.ts';
import { errorCodes, errorCodesMask, errorCodesProbe, errorCodesSilence } from './error-codes.ts';
import { int64Range, int64RangeMask, int64RangeProbe, int64RangeSilence } from './int64-range.ts';
import { integerNotation, integerNotationProbe, integerNotationSilence } from './integer-notation.ts';
import { otherOperations, otherOperationsProbe, otherOperationsSilence } from './other-operations.ts';
import { rateLimit, rateLimitProbe, rateLimitSilence } from './rate-limit.ts';
import { responseExtras, responseExtrasProbe, responseExtrasSilence } from './response-extras.ts';
import {
  undeclaredProperties,
  undeclaredPropertiesMask,
  undeclaredPropertiesProbe,
  undeclaredPropertiesSilence,
} from './undeclared-properties.ts';
import { uniqueProperties, uniquePropertiesProbe, uniquePropertiesSilence } from './unique-properties.ts';
import {
  unsupportedMediaType,
  unsupportedMediaTypeProbe,
  unsupportedMediaTypeSilence,
} from './unsupported-media-type.ts';

/** Which other answer hides the answer to a question, by its id; the answer to any other question always shows. */
export const masks: { readonly [Id in QuestionId]?: FindMask } = {
  'invalid-credentials': invalidCredentialsMask,
  'error-codes': errorCodesMask,
  constraints: constraintsMask,
  'undeclared-properties': undeclaredPropertiesMask,
  'int64-range': int64RangeMask,
};

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

/** Every question that a document leaves open, by its id. */
export const questions: {
  readonly 'duplicate-key': typeof duplicateKey;
  readonly 'missing-credentials': typeof missingCredentials;
  readonly 'invalid-credentials': typeof invalidCredentials;
  readonly 'accepted-tokens': typeof acceptedTokens;
  readonly 'auth-order': typeof authOrder;
  readonly 'error-codes': typeof errorCodes;
  readonly 'unsupported-media-type': typeof unsupportedMediaType;
  readonly 'body-limit': typeof bodyLimit;
  readonly constraints: typeof constraints;
  readonly 'unique-properties': typeof uniqueProperties;
  readonly 'undeclared-properties': typeof undeclaredProperties;
  readonly 'int64-range': typeof int64Range;
  readonly 'integer-notation': typeof integerNotation;
  readonly 'duplicate-keys-in-json': typeof duplicateKeysInJson;
  readonly echo: typeof echo;
  readonly 'response-extras': typeof responseExtras;
  readonly accept: typeof accept;
  readonly 'other-operations': typeof otherOperations;
  readonly 'rate-limit': typeof rateLimit;
} = {
  'duplicate-key': duplicateKey,
  'missing-credentials': missingCredentials,
  'invalid-credentials': invalidCredentials,
  'accepted-tokens': acceptedTokens,
  'auth-order': authOrder,
  'error-codes': errorCodes,
  'unsupported-media-type': unsupportedMediaType,
  'body-limit': bodyLimit,
  constraints: constraints,
  'unique-properties': uniqueProperties,
  'undeclared-properties': undeclaredProperties,
  'int64-range': int64Range,
  'integer-notation': integerNotation,
  'duplicate-keys-in-json': duplicateKeysInJson,
  echo: echo,
  'response-extras': responseExtras,
  accept: accept,
  'other-operations': otherOperations,
  'rate-limit': rateLimit,
};

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

/** One answer to each question. */
export type Answers = { readonly [Id in QuestionId]: (typeof questions)[Id]['default'] };
