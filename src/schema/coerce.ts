import { isInteger, toJsonNumber } from '../json/exact-number.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { type JsonSchema, schemaTypes } from './walk.ts';

/** Returns the value that a text stands for. */
export type CoerceText = (text: string) => JsonValue;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

/**
 * A number, a boolean or null where the schema speaks of one and the text is one, else the text itself
 * (OpenAPI 3.1 §4.8.12.2). Where a text is allowed too, a fraction is a number only if the schema speaks of
 * fractions, and nothing is null. Local references start from `root`.
 */
export function createCoercion(root: JsonSchema, schema: JsonSchema): CoerceText {
  const types = schemaTypes(schema, root);
  const isText = types.has('string');
  const wantsFraction = types.has('number');
  const wantsNumber = wantsFraction || types.has('integer');
  const wantsBoolean = types.has('boolean');
  const wantsNull = types.has('null') && !isText;
  if (!wantsNumber && !wantsBoolean && !wantsNull) return (text) => text;
  return (text) => {
    if (wantsNumber && jsonNumber.test(text)) {
      const number = toJsonNumber(text);
      return wantsFraction || !isText || isInteger(number) ? number : text;
    }
    if (wantsBoolean && (text === 'true' || text === 'false')) return text === 'true';
    return wantsNull && (text === '' || text === 'null') ? null : text;
  };
}

/** Whether a value of a document is a schema. */
export function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'boolean' || isJsonObject(value);
}
