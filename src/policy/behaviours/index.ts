import type { Behaviour, BehaviourId } from '../behaviour.ts';
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
import { filterMatch } from './filter-match.ts';
import { int64Range } from './int64-range.ts';
import { integerNotation } from './integer-notation.ts';
import { itemsOfOthers } from './items-of-others.ts';
import { limitAboveMaximum } from './limit-above-maximum.ts';
import { listDefaultLimit } from './list-default-limit.ts';
import { listOrder } from './list-order.ts';
import { missingParent } from './missing-parent.ts';
import { otherOperations } from './other-operations.ts';
import { patchNotation } from './patch-notation.ts';
import { rateLimit } from './rate-limit.ts';
import { readOnlySent } from './read-only-sent.ts';
import { responseExtras } from './response-extras.ts';
import { searchFields } from './search-fields.ts';
import { undeclaredProperties } from './undeclared-properties.ts';
import { uniqueProperties } from './unique-properties.ts';
import { unknownCursor } from './unknown-cursor.ts';
import { unknownKeyReplaced } from './unknown-key-replaced.ts';
import { unknownQueryParameter } from './unknown-query-parameter.ts';
import { unsupportedMediaType } from './unsupported-media-type.ts';

/** In the order in which a service is probed. Later probes may use the results of earlier ones. */
const inOrder = [
  acceptedTokens,
  missingCredentials,
  invalidCredentials,
  authOrder,
  echo,
  responseExtras,
  duplicateKey,
  uniqueProperties,
  undeclaredProperties,
  duplicateKeysInJson,
  integerNotation,
  bodyLimit,
  constraints,
  int64Range,
  unsupportedMediaType,
  accept,
  otherOperations,
  errorCodes,
  danglingReference,
  missingParent,
  unknownKeyReplaced,
  readOnlySent,
  patchNotation,
  deletedAgain,
  deletedParent,
  itemsOfOthers,
  unknownQueryParameter,
  limitAboveMaximum,
  listOrder,
  filterMatch,
  searchFields,
  unknownCursor,
  listDefaultLimit,
  // Its probe may exhaust a limit that would then affect later requests.
  rateLimit,
] as const;

/** All behaviours that a document may leave unspecified, by id. */
// `as`: each behaviour is listed under its id.
export const behaviours: { readonly [Id in BehaviourId]: Behaviour<Id> } = Object.fromEntries(
  inOrder.map((behaviour) => [behaviour.id, behaviour]),
) as { readonly [Id in (typeof inOrder)[number]['id']]: Behaviour<Id> };

/** The ids of all behaviours, in the order in which a service is probed. */
export const behaviourIds: readonly BehaviourId[] = inOrder.map(({ id }) => id);
