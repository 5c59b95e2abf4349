import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { faultSchemas } from '../../src/mock/faults/fault-schema.ts';
import { stateSchemas } from '../../src/mock/control/state-operations.ts';

const $schema = 'https://json-schema.org/draft/2020-12/schema';
const ownSchema = { type: 'string', description: 'Where this schema is, for editors.' };

/** Returns a schema of the control interface whose references lead to `$defs`. */
function withLocalReferences<Value extends JsonValue>(value: Value): Value {
  const text = JSON.stringify(value).replaceAll('"#/components/schemas/', '"#/$defs/');
  // `as`: only texts changed.
  return JSON.parse(text) as Value;
}

function schemaOf(name: string, schemas: Readonly<Record<string, JsonObject>>): JsonObject {
  const found = schemas[name];
  if (!isJsonObject(found)) throw new Error(`the control interface has no schema ${name}`);
  return withLocalReferences(found);
}

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
    rows: { ...schemaOf('GivenRows', stateSchemas), examples: [{ '/orders': [{ id: 1, name: 'Tea' }] }] },
  },
};

/** The JSON Schema (2020-12) of a file of fault rules, which is published as `cloche/faults.schema.json`. */
export const faultsSchema: JsonObject = {
  $schema,
  title: 'Fault rules of Cloche',
  description: 'The rules by which responses of a mock fail or are slow, for `--faults FILE`.',
  oneOf: [
    { $ref: '#/$defs/rules' },
    {
      type: 'object',
      required: ['faults'],
      properties: { $schema: ownSchema, faults: { $ref: '#/$defs/rules' } },
    },
  ],
  $defs: {
    rules: {
      type: 'array',
      description: 'If several rules match a request, the first applies.',
      items: { $ref: '#/$defs/FaultRule' },
      examples: [[{ operation: 'createOrder', times: 3, answer: { status: 503, retryAfter: 2 } }]],
    },
    FaultRule: schemaOf('FaultRule', faultSchemas),
    ForcedAnswer: schemaOf('ForcedAnswer', faultSchemas),
  },
};
