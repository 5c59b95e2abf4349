import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Condition } from '../condition.ts';
import type { FindMask, Mask } from '../mask.ts';
import type { QuestionId } from '../question-id.ts';

interface Hidden {
  readonly condition: Condition;
  readonly by: QuestionId;
  /** Whether an answer keeps the condition from showing its number. */
  readonly isHidden: (answer: JsonValue | undefined) => boolean;
}

const refusals: readonly unknown[] = ['refuse', 'conflict', 'unprocessable', undefined];
const isBodyless = (answer: JsonValue | undefined): boolean =>
  isJsonObject(answer) && answer['body'] !== 'error';

const hidden: readonly Hidden[] = [
  { condition: 'duplicate-key', by: 'duplicate-key', isHidden: (answer) => !refusals.includes(answer) },
  {
    condition: 'duplicate-value',
    by: 'unique-properties',
    isHidden: (answer) => !Array.isArray(answer) || answer.length === 0,
  },
  {
    condition: 'unsupported-media-type',
    by: 'unsupported-media-type',
    isHidden: (answer) => answer === 'read',
  },
  { condition: 'not-acceptable', by: 'accept', isHidden: (answer) => answer !== 406 },
  { condition: 'invalid-credentials', by: 'accepted-tokens', isHidden: (answer) => answer === 'any' },
  { condition: 'invalid-credentials', by: 'invalid-credentials', isHidden: isBodyless },
  { condition: 'missing-credentials', by: 'missing-credentials', isHidden: isBodyless },
  { condition: 'too-many-requests', by: 'rate-limit', isHidden: () => true },
];

/** The number of a condition shows only where the condition comes about, with an error body. */
export const errorCodesMask: FindMask = (answers): Mask | undefined => {
  const codes = answers['error-codes'];
  const found = isJsonObject(codes)
    ? hidden.find(({ condition, by, isHidden }) => Object.hasOwn(codes, condition) && isHidden(answers[by]))
    : undefined;
  return found === undefined
    ? undefined
    : { by: found.by, why: `no error body shows the number of ${found.condition}` };
};
