import { ExactNumber } from '../json/exact-number.ts';
import { isInteger } from '../json/is-integer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { toJsonNumber } from '../json/to-json-number.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { schemaTypes } from './schema-types.ts';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

/**
 * The JSON value that the text of a parameter stands for under a schema: a number or a boolean where the
 * schema speaks of one and the text is one, else the text itself.
 */
export function parseParameterText(text: string, schema: JsonSchema): JsonValue {
  const types = schemaTypes(schema);
  if ((types.has('integer') || types.has('number')) && jsonNumber.test(text)) {
    const number = toJsonNumber(text);
    if (types.has('number') || isInteger(number) || !types.has('string')) {
      return number instanceof ExactNumber && Number.isSafeInteger(Number(text)) && !/[.eE]/u.test(text)
        ? Number(text)
        : number;
    }
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) {
    return text === 'true';
  }
  if (types.has('null') && !types.has('string') && (text === '' || text === 'null')) {
    return null;
  }
  return text;
}
