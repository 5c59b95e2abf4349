import { stringifyJson } from '../json/print.ts';
import { type JsonValue, isJsonObject } from '../json/value.ts';
import { excludesCharacter } from './pattern-texts.ts';
import { type JsonSchema, referencedSchema, subschemasAt } from './walk.ts';

const typesWithoutComma: ReadonlySet<JsonValue> = new Set(['boolean', 'integer', 'null', 'number']);
const formatsWithoutComma: ReadonlySet<JsonValue> = new Set(['date', 'date-time', 'ipv4', 'ipv6', 'uuid']);

/** Returns whether no value of a schema, written as a text, contains a comma. Local references start from `root`. */
export function isCommaFree(root: JsonSchema, schema: JsonValue | undefined): boolean {
  const entered = new Set<JsonValue>();

  function isFree(part: JsonValue | undefined): boolean {
    if (!isJsonObject(part) || entered.has(part)) return part === false;
    entered.add(part);
    const { type, enum: list, const: constant, pattern, format = null } = part;
    const types = type === undefined ? [] : [type].flat();
    const values = constant === undefined ? list : [constant];
    return (
      (types.length > 0 && types.every((each) => typesWithoutComma.has(each))) ||
      (Array.isArray(values) && values.every((value) => !stringifyJson(value).includes(','))) ||
      (typeof pattern === 'string' && excludesCharacter(pattern, ',')) ||
      formatsWithoutComma.has(format) ||
      [referencedSchema(root, part), ...subschemasAt(part, ['allOf'])].some(isFree) ||
      ['anyOf', 'oneOf'].some((keyword) => {
        const alternatives = subschemasAt(part, [keyword]);
        return alternatives.length > 0 && alternatives.every(isFree);
      })
    );
  }

  return isFree(schema);
}
