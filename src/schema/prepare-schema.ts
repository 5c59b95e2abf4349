import { compareNumbers } from '../json/compare-numbers.ts';
import { ExactNumber } from '../json/exact-number.ts';
import type { JsonPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { exactKeywordNames } from './exact-keyword-names.ts';
import { integerFormats } from './integer-formats.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonSchema } from './json-schema.ts';
import { mapSubschemas } from './map-subschemas.ts';
import type { SchemaReading } from './schema-reading.ts';

/** A schema made ready for the compiler. */
export interface PreparedSchema {
  readonly schema: JsonObject;
  /** The place of each object of the prepared schema in the schema that it was made of. */
  readonly places: WeakMap<object, JsonPointer>;
  /** Whether a number in it is one that no JavaScript number stands for. */
  readonly holdsExactNumber: boolean;
}

const kept = new Set(
  (
    '$defs $ref additionalProperties allOf anyOf contains dependentRequired dependentSchemas else if items not oneOf ' +
    'pattern patternProperties prefixItems properties propertyNames then unevaluatedItems unevaluatedProperties'
  ).split(' '),
);
const counts = new Set(
  'maxContains maxItems maxLength maxProperties minContains minItems minLength'.split(' '),
);
const renamed: ReadonlyMap<string, string> = new Map(Object.entries(exactKeywordNames));
/** Renamed whatever the values: the compiler's own divides in floating point, and compares each item with each. */
const alwaysRenamed = new Set(['multipleOf', 'uniqueItems']);
/** Where the schema `false` already has a problem of its own. */
const saysFalseItself = ['additionalProperties', 'items', 'unevaluatedItems', 'unevaluatedProperties'];

/**
 * Makes a schema ready for the compiler: keywords that JSON Schema does not know are left out (the compiler
 * gives some of them a meaning: `nullable`, `id`, `$async`), formats are left out or renamed as the reading
 * says, and for exact values the keywords that look at numbers are renamed to ours.
 *
 * @throws Error where the schema uses what the compiler cannot do
 */
export function prepareSchema(input: {
  readonly schema: JsonSchema;
  readonly reading: SchemaReading;
  readonly exact: boolean;
}): PreparedSchema {
  const { reading, exact } = input;
  const places = new WeakMap<object, JsonPointer>();
  let holdsExactNumber = false;

  function round(value: JsonValue): JsonValue {
    if (value instanceof ExactNumber) {
      const rounded = Number(value.text);
      if (Number.isFinite(rounded) && compareNumbers(value, rounded) === 0) {
        return rounded;
      }
      holdsExactNumber = true;
      return value;
    }
    if (Array.isArray(value)) {
      return value.map((item) => round(item));
    }
    return isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, round(member)]))
      : value;
  }

  function toMember(keyword: string, value: JsonValue): readonly [string, JsonValue] | undefined {
    if (kept.has(keyword)) {
      return [keyword, value];
    }
    if (counts.has(keyword)) {
      return [keyword, value instanceof ExactNumber ? Number(value.text) : value];
    }
    if (keyword === 'format') {
      const isInteger = typeof value === 'string' && integerFormats.has(value);
      const asserts = isInteger ? reading.formats === 'assert' : reading.formats !== 'ignore';
      return asserts ? [isInteger ? 'integerFormat' : 'format', value] : undefined;
    }
    const own = renamed.get(keyword);
    if (own === undefined) {
      return undefined;
    }
    const rounded = round(value);
    if (!exact && !alwaysRenamed.has(keyword)) {
      return [keyword, rounded];
    }
    return keyword === 'type'
      ? [own, { types: rounded, digits: reading.integers === 'digits' }]
      : [own, rounded];
  }

  function prepare(schema: JsonSchema, pointer: JsonPointer): JsonObject {
    const source = typeof schema === 'boolean' ? toObject(schema) : keepProtoProperty(schema);
    if (Object.hasOwn(source, '$dynamicRef')) {
      throw new Error('$dynamicRef is not supported; use $ref');
    }
    const members = Object.entries(mapSubschemas({ schema: source, pointer, map: prepare })).flatMap(
      ([keyword, value]) => {
        const saysFalse = saysFalseItself.includes(keyword) && source[keyword] === false;
        const member = toMember(keyword, saysFalse ? false : value);
        return member === undefined ? [] : [member];
      },
    );
    const prepared: JsonObject = Object.fromEntries(members);
    places.set(prepared, pointer);
    return prepared;
  }

  const schema = prepare(input.schema, '');
  return { schema, places, holdsExactNumber };
}

/** As objects, so that each schema has a place. */
function toObject(schema: boolean): JsonObject {
  return schema ? {} : { not: {} };
}

/** The compiler passes over a property called `__proto__`; as a pattern it does not. */
function keepProtoProperty(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) {
    return schema;
  }
  const { ['__proto__']: own = true, ...others } = properties;
  const patterns = isJsonObject(schema['patternProperties']) ? schema['patternProperties'] : {};
  return { ...schema, properties: others, patternProperties: { ...patterns, '^__proto__$': own } };
}
