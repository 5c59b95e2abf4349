import type { JsonObject } from '../../../json/json-value.ts';

/** The schemas of what the mock says of itself, and of errors. */
export const serviceSchemas: Readonly<Record<string, JsonObject>> = {
  Error: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'integer', description: 'The HTTP status.' },
      message: { type: 'string', description: 'What was wrong, and what can be done about it.' },
      rows: {
        type: 'array',
        description: 'Each row of data that cannot be taken; nothing was taken then.',
        items: { $ref: '#/components/schemas/BadRow' },
      },
    },
  },
  BadRow: {
    type: 'object',
    required: ['collection', 'index', 'reason'],
    properties: {
      collection: { type: 'string' },
      index: { type: 'integer', minimum: 0, description: 'Its place in its collection, from 0.' },
      place: { type: 'string', description: 'Where it stands in the file that it came from.' },
      reason: { type: 'string' },
    },
  },
  Service: {
    type: 'object',
    required: ['title', 'version', 'source', 'cloche', 'startedAt', 'store', 'operations', 'notices'],
    properties: {
      title: { type: 'string' },
      version: { type: 'string', description: 'The version of the interface that is mocked.' },
      source: { type: 'string', description: 'Where the document was read from.' },
      cloche: { type: 'string', description: 'The version of Cloche.' },
      startedAt: { type: 'string', format: 'date-time' },
      store: {
        enum: ['memory', 'file', 'redis', 'own'],
        description: 'Where resources are kept; `own` is a store that the mock was given.',
      },
      operations: { type: 'array', items: { $ref: '#/components/schemas/ServiceOperation' } },
      notices: {
        type: 'array',
        description: 'What watching the files had to say last, such as why a document cannot be used.',
        items: { type: 'string' },
      },
    },
  },
  ServiceOperation: {
    type: 'object',
    required: ['id', 'method', 'path', 'kind'],
    properties: {
      id: { type: 'string' },
      method: { type: 'string' },
      path: { type: 'string', description: 'As the document has it, with its parameters.' },
      kind: { type: 'string', description: '`create` keeps resources, `sample` answers with an example.' },
      collection: { type: 'string', description: 'The path that resources are kept under.' },
      key: { type: 'string', description: 'The property that tells resources apart.' },
    },
  },
};
