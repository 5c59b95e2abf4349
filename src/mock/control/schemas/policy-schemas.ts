import type { JsonObject } from '../../../json/json-value.ts';
import { questions } from '../../../policy/questions.ts';

/** The answers that a policy may give to each question, or null, which takes an answer back. */
const changes: JsonObject = Object.fromEntries(
  Object.values(questions).map(({ id, question, schema }) => [
    id,
    { description: question, anyOf: [schema, { type: 'null' }] },
  ]),
);

const operations: JsonObject = {
  type: 'object',
  description: 'Answers for single operations, by their id.',
};

/** The schemas of the policy. */
export const policySchemas: Readonly<Record<string, JsonObject>> = {
  Policy: {
    type: 'object',
    required: ['answers', 'operations', 'given'],
    properties: {
      answers: { type: 'array', items: { $ref: '#/components/schemas/PolicyAnswer' } },
      operations: { ...operations, additionalProperties: { type: 'object' } },
      given: {
        type: 'object',
        description: 'Those of them that can be taken back: the rest follows from the document.',
        additionalProperties: { type: 'object' },
      },
    },
  },
  PolicyAnswer: {
    type: 'object',
    required: ['id', 'question', 'scope', 'answer', 'default', 'choices', 'decidedBy', 'places'],
    properties: {
      id: { type: 'string' },
      question: { type: 'string' },
      scope: { enum: ['operation', 'service'], description: 'Whether each operation may have an answer.' },
      answer: { description: 'The one that holds.' },
      default: { description: 'The one that holds where nobody says otherwise.' },
      choices: {
        type: 'array',
        description: 'Answers that stand for all.',
        items: {
          type: 'object',
          required: ['answer', 'label'],
          properties: { answer: {}, label: { type: 'string' } },
        },
      },
      decidedBy: { enum: ['default', 'policy', 'document'] },
      places: {
        type: 'array',
        description: 'Where the document answers it, for all or for some operations; the first few.',
        items: {
          type: 'object',
          required: ['pointer', 'says'],
          properties: {
            pointer: { type: 'string' },
            says: { type: 'string' },
            location: { $ref: '#/components/schemas/TextLocation' },
          },
        },
      },
    },
  },
  PolicyAnswers: { type: 'object', additionalProperties: false, properties: changes },
  PolicyChange: {
    type: 'object',
    additionalProperties: false,
    properties: {
      answers: { $ref: '#/components/schemas/PolicyAnswers' },
      operations: {
        ...operations,
        additionalProperties: {
          anyOf: [{ $ref: '#/components/schemas/PolicyAnswers' }, { type: 'null' }],
        },
      },
    },
  },
};
