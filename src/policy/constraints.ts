import type { JsonObject } from '../json/json-value.ts';
import type { Question } from './question.ts';

/** A JSON Schema fragment for each property that is bounded further. */
export type ConstraintsAnswer = Readonly<Record<string, JsonObject>>;

/** The question `constraints`: are values bounded further than the schema says? */
export const constraints: Question<'constraints', ConstraintsAnswer> = {
  id: 'constraints',
  question: 'Are values bounded further than the schema says?',
  default: {},
  representatives: [{}, { name: { maxLength: 255 } }],
};
