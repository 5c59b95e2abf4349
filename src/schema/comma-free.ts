import { stringifyJson } from '../json/print.ts';
import type { JsonValue } from '../json/value.ts';
import { excludesCharacter } from './pattern-texts.ts';
import { alwaysMeets, type JsonSchema } from './walk.ts';

const typesWithoutComma: ReadonlySet<JsonValue> = new Set(['boolean', 'integer', 'null', 'number']);
const formatsWithoutComma: ReadonlySet<JsonValue> = new Set(['date', 'date-time', 'ipv4', 'ipv6', 'uuid']);

/** Returns whether no value of a schema, written as a text, contains a comma. Local references start from `root`. */
export function isCommaFree(root: JsonSchema, schema: JsonValue | undefined): boolean {
  return alwaysMeets(root, schema, ({ type, enum: list, const: constant, pattern, format = null }) => {
    const types = type === undefined ? [] : [type].flat();
    const values = constant === undefined ? list : [constant];
    return (
      (types.length > 0 && types.every((each) => typesWithoutComma.has(each))) ||
      (Array.isArray(values) && values.every((value) => !stringifyJson(value).includes(','))) ||
      (typeof pattern === 'string' && excludesCharacter(pattern, ',')) ||
      formatsWithoutComma.has(format)
    );
  });
}
