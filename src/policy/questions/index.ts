import type { QuestionId } from '../question.ts';
import { accept } from './accept.ts';
import { acceptedTokens } from './accepted-tokens.ts';
import { authOrder } from './auth-order.ts';
import { bodyLimit } from './body-limit.ts';
import { constraints } from './constraints.ts';
import { invalidCredentials, missingCredentials } from './credentials.ts';
import { duplicateKey } from './duplicate-key.ts';
import { duplicateKeysInJson } from './duplicate-keys-in-json.ts';
import { echo } from './echo.ts';
import { errorCodes } from './error-codes.ts';
import { int64Range } from './int64-range.ts';
import { integerNotation } from './integer-notation.ts';
import { otherOperations } from './other-operations.ts';
import { rateLimit } from './rate-limit.ts';
import { responseExtras } from './response-extras.ts';
import { undeclaredProperties } from './undeclared-properties.ts';
import { uniqueProperties } from './unique-properties.ts';
import { unsupportedMediaType } from './unsupported-media-type.ts';

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
  constraints,
  'unique-properties': uniqueProperties,
  'undeclared-properties': undeclaredProperties,
  'int64-range': int64Range,
  'integer-notation': integerNotation,
  'duplicate-keys-in-json': duplicateKeysInJson,
  echo,
  'response-extras': responseExtras,
  accept,
  'other-operations': otherOperations,
  'rate-limit': rateLimit,
};

/** One answer to each question. */
export type Answers = { readonly [Id in QuestionId]: (typeof questions)[Id]['default'] };
