import type { JsonObject } from '../../../json/json-value.ts';

/** The schemas of what the mock remembers. */
export const stateSchemas: Readonly<Record<string, JsonObject>> = {
  CollectionCount: {
    type: 'object',
    required: ['name', 'count'],
    properties: {
      name: { type: 'string' },
      count: { type: 'integer', minimum: 0, description: 'How many resources it holds.' },
    },
  },
  StateResource: {
    type: 'object',
    required: ['key', 'value'],
    properties: {
      key: { type: 'string', description: 'What it is kept under, as a JSON text.' },
      value: { type: 'object', description: 'The resource, its numbers digit for digit.' },
    },
  },
  StatePage: {
    type: 'object',
    required: ['total', 'resources'],
    properties: {
      total: { type: 'integer', minimum: 0, description: 'How many there are; of a search, how many match.' },
      resources: { type: 'array', items: { $ref: '#/components/schemas/StateResource' } },
    },
  },
  StateRows: {
    type: 'object',
    description: 'Resources by the path of their collection.',
    propertyNames: { pattern: '^/' },
    additionalProperties: { type: 'array', items: { type: 'object' } },
  },
  Imported: {
    type: 'object',
    required: ['added', 'replaced'],
    properties: {
      added: { type: 'integer', minimum: 0 },
      replaced: { type: 'integer', minimum: 0 },
    },
  },
};
