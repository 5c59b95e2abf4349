import type { JsonObject } from '../../src/json/value.ts';
import { controlSchema } from './control.ts';

const $schema = 'https://json-schema.org/draft/2020-12/schema';

/** The JSON Schema (2020-12) of a data file, which is published as `cloche/data.schema.json`. */
export const dataSchema: JsonObject = {
  $schema,
  title: 'Data of Cloche',
  description:
    'The initial state of a mock, for `--data FILE`, and the exports of its state. Each line of an NDJSON file is one row.',
  oneOf: [
    { $ref: '#/$defs/rows' },
    {
      type: 'array',
      description: 'Rows without a path, for a document with one collection.',
      items: { type: 'object' },
    },
  ],
  $defs: {
    rows: { ...controlSchema('GivenRows'), examples: [{ '/orders': [{ id: 1, name: 'Tea' }] }] },
  },
};
