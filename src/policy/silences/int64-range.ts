import type { Operation } from '../../contract/operation.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import { schemasInPlace } from '../../contract/schemas-in-place.ts';
import { compareNumbers } from '../../json/compare-numbers.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { type IntegerRange, integerFormats } from '../../schema/integer-formats.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Int64RangeAnswer } from '../int64-range.ts';
import type { QuestionSilence } from '../question-silence.ts';
import { findRangedSchemas } from './find-ranged-schemas.ts';
import { jsonBodies } from './json-bodies.ts';

function rangeOf({ format }: JsonObject): IntegerRange | undefined {
  return typeof format === 'string' ? integerFormats.get(format) : undefined;
}

function isWithin(value: JsonValue | undefined, { minimum, maximum }: IntegerRange): boolean {
  return (
    (typeof value === 'number' || value instanceof ExactNumber) &&
    compareNumbers(value, minimum) >= 0 &&
    compareNumbers(value, maximum) <= 0
  );
}

/** Whether schemas that judge one value keep it, by their own words, within a range. */
function keepsWithin(parts: readonly JsonObject[], range: IntegerRange): boolean {
  const isListed = parts.some(
    ({ enum: values }) => Array.isArray(values) && values.every((value) => isWithin(value, range)),
  );
  return (
    isListed ||
    (parts.some(({ minimum }) => isWithin(minimum, range)) &&
      parts.some(({ maximum }) => isWithin(maximum, range)))
  );
}

/** The schemas of a range in a schema that nothing keeps within it. */
function findUnkept(schema: JsonSchema): readonly JsonObject[] {
  const kept = new Set<JsonObject>();
  const values = [schema, ...[...schemaProperties(schema).values()].map((property) => property.schema)];
  for (const parts of values.map((value) => schemasInPlace(schema, value))) {
    for (const part of parts) {
      const range = rangeOf(part);
      if (range !== undefined && keepsWithin(parts, range)) {
        kept.add(part);
      }
    }
  }
  return findRangedSchemas(schema).filter((part) => {
    const range = rangeOf(part);
    return !kept.has(part) && range !== undefined && !keepsWithin([part], range);
  });
}

function listSchemas(operation: Operation): readonly JsonSchema[] {
  return [...(operation.requestBody?.media ?? []), ...operation.parameters].flatMap(({ schema }) =>
    schema === undefined ? [] : [schema.schema],
  );
}

/** What a document says of integers past their format: `minimum` and `maximum` (a format asserts by convention alone). */
export const int64RangeSilence: QuestionSilence<Int64RangeAnswer> = {
  silence(operation) {
    const schemas = listSchemas(operation);
    if (schemas.every((schema) => findRangedSchemas(schema).length === 0)) {
      return { kind: 'not-asked', why: 'it takes no integer with the format int32 or int64' };
    }
    return schemas.every((schema) => findUnkept(schema).length === 0)
      ? {
          kind: 'answered',
          pointer: operation.requestBody?.pointer ?? operation.pointer,
          says: 'Its schemas bound each integer within its format',
          answer: 'refuse',
        }
      : { kind: 'open', settledBy: 'Its schemas would have to say minimum and maximum' };
  },
  declare({ answer, operation }) {
    const properties: JsonObject = {};
    for (const { schema } of answer === 'refuse' ? jsonBodies(operation) : []) {
      const root = schema?.schema ?? true;
      for (const [name, property] of schemaProperties(root)) {
        const parts = schemasInPlace(root, property.schema);
        const range = parts.map(rangeOf).find((each) => each !== undefined);
        if (range !== undefined && !keepsWithin(parts, range)) {
          properties[name] = { minimum: range.minimum, maximum: range.maximum };
        }
      }
    }
    return {
      additions:
        Object.keys(properties).length === 0 ? [] : [{ kind: 'request-schema', schema: { properties } }],
      answer,
    };
  },
};
