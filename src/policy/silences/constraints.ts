import { schemaProperties } from '../../contract/schema-properties.ts';
import { schemasInPlace } from '../../contract/schemas-in-place.ts';
import { schemaTypes } from '../../contract/schema-types.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { ConstraintsAnswer } from '../constraints.ts';
import type { QuestionSilence } from '../question-silence.ts';
import { jsonBodies } from './json-bodies.ts';

const upper = ['maximum', 'exclusiveMaximum'];
const lower = ['minimum', 'exclusiveMinimum'];

/** Whether a schema leaves no value of a property without a bound, as far as its type has bounds. */
function isBounded(schema: JsonSchema, root: JsonSchema): boolean {
  const parts = schemasInPlace(root, schema);
  const hasOne = (keywords: readonly string[]): boolean =>
    parts.some((part) => keywords.some((keyword) => Object.hasOwn(part, keyword)));
  const types = schemaTypes(schema, root);
  const isListed = hasOne(['enum', 'const']);
  return (
    isListed ||
    ((!types.has('string') || hasOne(['maxLength', 'pattern'])) &&
      ((!types.has('integer') && !types.has('number')) || (hasOne(upper) && hasOne(lower))) &&
      (!types.has('array') || hasOne(['maxItems'])))
  );
}

/** What a document says of bounds: all that its schemas say, as long as they leave no value without one. */
export const constraintsSilence: QuestionSilence<ConstraintsAnswer> = {
  silence(operation) {
    const bodies = jsonBodies(operation);
    const [first] = bodies;
    if (first === undefined) {
      return { kind: 'not-asked', why: 'the operation takes no JSON object' };
    }
    const free = bodies.flatMap(({ schema }) =>
      [...schemaProperties(schema?.schema)]
        .filter(([, property]) => !isBounded(property.schema, schema?.schema ?? true))
        .map(([name]) => name),
    );
    return free.length === 0
      ? {
          kind: 'answered',
          pointer: first.pointer,
          says: 'Its schema bounds each property of the body',
          answer: {},
        }
      : {
          kind: 'open',
          settledBy: `Its schema would have to bound ${[...new Set(free)].join(', ')} (maxLength, pattern, maximum, maxItems, enum …)`,
        };
  },
  declare({ answer }) {
    const properties: JsonObject = { ...answer };
    return {
      additions: Object.keys(answer).length === 0 ? [] : [{ kind: 'request-schema', schema: { properties } }],
      answer: {},
    };
  },
};
