import type { Question, QuestionId } from '../question.ts';
import { accept } from './accept.ts';
import { acceptedTokens } from './accepted-tokens.ts';
import { authOrder } from './auth-order.ts';
import { bodyLimit } from './body-limit.ts';
import { constraints } from './constraints.ts';
import { invalidCredentials, missingCredentials } from './credentials.ts';
import { danglingReference } from './dangling-reference.ts';
import { deletedAgain } from './deleted-again.ts';
import { deletedParent } from './deleted-parent.ts';
import { duplicateKey } from './duplicate-key.ts';
import { duplicateKeysInJson } from './duplicate-keys-in-json.ts';
import { echo } from './echo.ts';
import { errorCodes } from './error-codes.ts';
import { int64Range } from './int64-range.ts';
import { integerNotation } from './integer-notation.ts';
import { limitAboveMaximum } from './limit-above-maximum.ts';
import { listDefaultLimit } from './list-default-limit.ts';
import { listOrder } from './list-order.ts';
import { missingParent } from './missing-parent.ts';
import { otherOperations } from './other-operations.ts';
import { patchNotation } from './patch-notation.ts';
import { rateLimit } from './rate-limit.ts';
import { readOnlySent } from './read-only-sent.ts';
import { responseExtras } from './response-extras.ts';
import { undeclaredProperties } from './undeclared-properties.ts';
import { uniqueProperties } from './unique-properties.ts';
import { unknownKeyReplaced } from './unknown-key-replaced.ts';
import { unknownQueryParameter } from './unknown-query-parameter.ts';
import { unsupportedMediaType } from './unsupported-media-type.ts';

/** Every question that a document may not answer, by its id. */
export const questions: { readonly [Id in QuestionId]: Question<Id> } = {
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
  'unknown-key-replaced': unknownKeyReplaced,
  'deleted-again': deletedAgain,
  'deleted-parent': deletedParent,
  'read-only-sent': readOnlySent,
  'patch-notation': patchNotation,
  'list-order': listOrder,
  'list-default-limit': listDefaultLimit,
  'limit-above-maximum': limitAboveMaximum,
  'unknown-query-parameter': unknownQueryParameter,
  'missing-parent': missingParent,
  'dangling-reference': danglingReference,
};
