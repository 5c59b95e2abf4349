import type { JsonObject } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { fragmentSchema } from './fragment-schema.ts';
import type { Question } from './question.ts';

/** A JSON Schema fragment for each property that is bounded further. */
export type ConstraintsAnswer = Readonly<Record<string, JsonObject>>;

/** The question `constraints`: are values bounded further than the schema says? */
export const constraints: Question<'constraints', ConstraintsAnswer> = {
  id: 'constraints',
  question: 'Are values bounded further than the schema says?',
  scope: 'operation',
  default: {},
  representatives: [{}, { name: { maxLength: 255 } }],
  schema: {
    type: 'object',
    additionalProperties: fragmentSchema,
    description: 'A JSON Schema for each property that is bounded further, by its name.',
    examples: [{ name: { maxLength: 255 } }],
  },
  describe: (bounds) =>
    Object.entries(bounds)
      .map(([name, fragment]) => `${name} ${stringifyJson(fragment)}`)
      .join(', ') || 'none',
};
