import type { FindMask } from './mask.ts';
import { constraintsMask } from './masks/constraints.ts';
import { errorCodesMask } from './masks/error-codes.ts';
import { int64RangeMask } from './masks/int64-range.ts';
import { invalidCredentialsMask } from './masks/invalid-credentials.ts';
import { undeclaredPropertiesMask } from './masks/undeclared-properties.ts';
import type { QuestionId } from './question-id.ts';

/** Which other answer hides the answer to a question, by its id; the answer to any other question always shows. */
export const masks: { readonly [Id in QuestionId]?: FindMask } = {
  'invalid-credentials': invalidCredentialsMask,
  'error-codes': errorCodesMask,
  constraints: constraintsMask,
  'undeclared-properties': undeclaredPropertiesMask,
  'int64-range': int64RangeMask,
};
