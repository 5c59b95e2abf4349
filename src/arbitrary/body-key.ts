import { schemaProperties } from '../contract/schema-properties.ts';
import { schemaTypes } from '../contract/schema-types.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { toJsonNumber } from '../json/to-json-number.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';
import { judgeValue } from './judge-value.ts';
import type { KeyClass } from './key-slot.ts';

/** The place of a key in the bodies of a create, and what may stand there. */
export interface BodyKey {
  readonly property: string;
  readonly pointer: JsonPointer;
  readonly isNumber: boolean;
  /** A key of each class whose keys the schema allows; `plain` is always one of them. */
  readonly classes: ReadonlyMap<KeyClass, JsonValue>;
}

const numbers: readonly (readonly [KeyClass, string])[] = [
  ['plain', '1073741831'],
  ['negative', '-1073741831'],
  ['past-int32', '5368709127'],
  ['past-double', '9007201402224655'],
  ['near-int64-max', '9223372035781033976'],
  ['near-int64-min', '-9223372035781033976'],
];

function candidates(schema: CompiledSchema, property: string): readonly (readonly [KeyClass, JsonValue])[] {
  const declared = schemaProperties(schema.schema).get(property)?.schema ?? true;
  const types = schemaTypes(declared);
  if (types.has('integer') || types.has('number') || types.size === 0) {
    return numbers.map(([keyClass, text]) => [keyClass, toJsonNumber(text)]);
  }
  const isUuid = isJsonObject(declared) && declared['format'] === 'uuid';
  return [['plain', isUuid ? '00000000-0000-4000-8000-000040000007' : 'keyabcdef']];
}

/**
 * Finds out which keys the schema of a body allows.
 *
 * @param input.value - a valid value of the schema
 * @returns undefined where fresh keys would not be valid: the key is then a value like any other
 */
export function bodyKey(input: {
  readonly schema: CompiledSchema | undefined;
  readonly property: string;
  readonly value: JsonValue;
}): BodyKey | undefined {
  const { schema, property, value } = input;
  if (schema === undefined || !isJsonObject(value)) {
    return undefined;
  }
  const allowed = candidates(schema, property).filter(
    ([, key]) => judgeValue(schema, { ...value, [property]: key }) === 'valid',
  );
  const classes = new Map(allowed);
  const plain = classes.get('plain');
  return plain === undefined
    ? undefined
    : { property, pointer: appendPointer('', property), isNumber: typeof plain === 'number', classes };
}
