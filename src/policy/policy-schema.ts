import type { JsonObject } from '../json/json-value.ts';
import type { QuestionId } from './question-id.ts';
import { questions } from './questions.ts';

function answersSchema(ids: readonly QuestionId[]): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(ids.map((id) => [id, { $ref: `#/$defs/${id}` }])),
  };
}

const ids = Object.values(questions).map(({ id }) => id);

/** The JSON Schema (2020-12) of a policy file, which is published as `cloche/policy.schema.json`. */
export const policySchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Policy of Cloche',
  description:
    'Answers to what a document leaves open, for `--policy FILE`: how the mock answers, and what a service is held to.',
  type: 'object',
  required: ['answers'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', minLength: 1, description: 'Where this schema is, for editors.' },
    contract: {
      type: 'string',
      minLength: 1,
      description: 'The OpenAPI document that it speaks of: a path relative to this file, or a URL.',
    },
    answers: {
      ...answersSchema(ids),
      description: 'The answers, by question. What is left out is held against nobody.',
      examples: [{ 'duplicate-key': 'conflict' }],
    },
    operations: {
      type: 'object',
      description:
        'The answers of single operations, by operationId; they stand before those of the service.',
      // What is about requests that reach no operation is answered for the whole service alone.
      additionalProperties: answersSchema(ids.filter((id) => questions[id].scope === 'operation')),
    },
    evidence: {
      type: 'object',
      description: 'Where the answers come from, for who reads the file. It is compared with nothing.',
    },
  },
  $defs: Object.fromEntries(
    Object.values(questions).map(({ id, question, schema, default: usual }) => [
      id,
      {
        title: question,
        ...schema,
        // `as`: an answer is JSON, but for being read only.
        default: usual as unknown as JsonObject,
      },
    ]),
  ),
};
