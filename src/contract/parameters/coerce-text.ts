import type { JsonValue } from '../../json/json-value.ts';
import { isInteger } from '../../json/is-integer.ts';
import { toJsonNumber } from '../../json/to-json-number.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { schemaTypes } from '../schema-types.ts';

/** Makes the value of a text. */
export type CoerceText = (text: string) => JsonValue;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

/**
 * How the text of a parameter becomes a value: a number, a boolean or null where its schema speaks of one and
 * the text is one, else the text itself (OpenAPI 3.1 §4.8.12.2). Where a text is allowed too, a fraction is a
 * number only if the schema speaks of fractions, and nothing is null.
 *
 * @param root - what local references start from
 */
export function createCoercion(root: JsonSchema, schema: JsonSchema): CoerceText {
  const types = schemaTypes(schema, root);
  const isText = types.has('string');
  const wantsFraction = types.has('number');
  const wantsNumber = wantsFraction || types.has('integer');
  const wantsBoolean = types.has('boolean');
  const wantsNull = types.has('null') && !isText;
  if (!wantsNumber && !wantsBoolean && !wantsNull) {
    return (text) => text;
  }
  return (text) => {
    if (wantsNumber && jsonNumber.test(text)) {
      const number = toJsonNumber(text);
      return wantsFraction || !isText || isInteger(number) ? number : text;
    }
    if (wantsBoolean && (text === 'true' || text === 'false')) {
      return text === 'true';
    }
    return wantsNull && (text === '' || text === 'null') ? null : text;
  };
}
