import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { toJsonNumber } from '../../json/to-json-number.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { mergeSchema } from '../bodies/merge-schema.ts';

/** Makes the value of a text. */
export type CoerceText = (text: string) => JsonValue;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

/** The types that a schema names at its top, in any branch of it. */
function namedTypes(root: JsonObject, schema: JsonValue, depth: number): readonly JsonValue[] {
  if (!isJsonObject(schema) || depth > 8) {
    return [];
  }
  const { type, oneOf, anyOf } = schema;
  const branches = [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const merged = mergeSchema(root, schema)['type'];
  return [type, merged]
    .flatMap((each) => (Array.isArray(each) ? each : each === undefined ? [] : [each]))
    .concat(branches.flatMap((branch) => [...namedTypes(root, branch, depth + 1)]));
}

/**
 * How the text of a parameter becomes a value: a number or a boolean where its schema asks for one and the
 * text is one, else the text itself (OpenAPI 3.1 §4.8.12.2).
 *
 * @param root - what local references start from
 */
export function createCoercion(root: JsonObject, schema: JsonSchema): CoerceText {
  const types = namedTypes(root, schema, 0);
  const wantsNumber = types.includes('number') || types.includes('integer');
  const wantsBoolean = types.includes('boolean');
  const wantsNull = types.includes('null');
  if (!wantsNumber && !wantsBoolean && !wantsNull) {
    return (text) => text;
  }
  return (text) => {
    if (wantsNumber && jsonNumber.test(text)) {
      return toJsonNumber(text);
    }
    if (wantsBoolean && (text === 'true' || text === 'false')) {
      return text === 'true';
    }
    return wantsNull && (text === '' || text === 'null') ? null : text;
  };
}
