import fc, { type Arbitrary } from 'fast-check';
import { isJsonObject } from '../json/is-json-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { plainNumber } from './plain-number.ts';
import { plainString } from './plain-string.ts';
import { schemaConjuncts } from './schema-conjuncts.ts';

/** Which optional properties are there. */
export type OptionalProperties = 'none' | 'all' | 'any';

/** Below this depth optional properties are left out, below the second nothing is generated at all. */
const shallow = 3;
const deepest = 8;

interface Place {
  readonly root: JsonSchema;
  readonly optional: OptionalProperties;
  readonly depth: number;
  /** What was made before, by depth and schemas: a schema that names itself twice would be made 2^depth times. */
  readonly made: Map<string, Arbitrary<JsonValue> | undefined>;
  readonly names: Map<JsonObject, number>;
  /** Schemas without the choice that was made between their alternatives. */
  readonly chosen: Map<JsonObject, JsonObject>;
}

type Conjuncts = readonly JsonObject[];

/** Stands for what is not described. */
const text: JsonObject = { type: 'string' };
const nothing: JsonObject = { enum: [] };

const keywordTypes: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

function plainType(conjuncts: Conjuncts): string | undefined {
  const declared = conjuncts
    .map(({ type }) => (Array.isArray(type) ? type : [type]))
    .filter((types) => types.some((type) => typeof type === 'string'));
  if (declared.length === 0) {
    const [type] = keywordTypes.find(([, keywords]) =>
      conjuncts.some((schema) => keywords.some((keyword) => Object.hasOwn(schema, keyword))),
    ) ?? ['object'];
    return type;
  }
  const isInteger = declared.some((types) => types.includes('integer') && !types.includes('number'));
  const allowed = (type: string): boolean =>
    declared.every((types) => types.includes(type) || (type === 'integer' && types.includes('number')));
  const types = ['object', 'array', 'string', ...(isInteger ? [] : ['number']), 'integer', 'boolean', 'null'];
  return types.find(allowed);
}

function plainChoice(conjuncts: Conjuncts, place: Place): Arbitrary<JsonValue> | undefined {
  const keyword = conjuncts.some((schema) => Array.isArray(schema['oneOf'])) ? 'oneOf' : 'anyOf';
  const holder = conjuncts.find((schema) => Array.isArray(schema[keyword]));
  const alternatives = holder?.[keyword];
  if (holder === undefined || !Array.isArray(alternatives)) {
    return undefined;
  }
  const { [keyword]: _alternatives, ...others } = holder;
  const without = place.chosen.get(holder) ?? others;
  place.chosen.set(holder, without);
  const rest = conjuncts.map((schema) => (schema === holder ? without : schema));
  const isNull = (schema: JsonValue): boolean => isJsonObject(schema) && schema['type'] === 'null';
  const wanted = alternatives.every(isNull) ? alternatives : alternatives.filter((schema) => !isNull(schema));
  const branches = wanted.flatMap((alternative) => {
    const chosen = schemaConjuncts(place.root, alternative);
    const made = chosen && plainOf([...rest, ...chosen], { ...place, depth: place.depth + 1 });
    return made === undefined ? [] : [made];
  });
  return branches.length === 0 ? undefined : fc.oneof(...branches);
}

function plainObject(conjuncts: Conjuncts, place: Place): Arbitrary<JsonValue> | undefined {
  const required = new Set(conjuncts.flatMap(({ required: names }) => (Array.isArray(names) ? names : [])));
  const declared = new Map<string, Set<JsonObject>>();
  const impossible = new Set<JsonValue>();
  for (const { properties } of conjuncts) {
    for (const [name, schema] of isJsonObject(properties) ? Object.entries(properties) : []) {
      const parts = schemaConjuncts(place.root, schema);
      declared.set(name, new Set([...(declared.get(name) ?? []), ...(parts ?? [])]));
      if (parts === undefined) {
        impossible.add(name);
      }
    }
  }
  for (const name of required) {
    if (typeof name === 'string' && !declared.has(name)) {
      declared.set(name, new Set([text]));
    }
  }
  const wanted = place.depth > shallow ? 'none' : place.optional;
  const members: Record<string, Arbitrary<JsonValue>> = {};
  for (const [name, parts] of declared) {
    const isLeftOut = wanted === 'none' || [...parts].some(({ readOnly }) => readOnly === true);
    if (!required.has(name) && (isLeftOut || impossible.has(name))) {
      continue;
    }
    const made = plainOf([...parts], { ...place, depth: place.depth + 1 });
    if (made !== undefined) {
      Object.defineProperty(members, name, { value: made, enumerable: true });
    } else if (required.has(name)) {
      return undefined;
    }
  }
  const always = Object.keys(members).filter((name) => wanted !== 'any' || required.has(name));
  // `as`: JSON values are what every member generates.
  return fc.record(members, { requiredKeys: always, noNullPrototype: true }) as Arbitrary<JsonObject>;
}

function limit(conjuncts: Conjuncts, keyword: string, pick: (...numbers: number[]) => number): number {
  return pick(...conjuncts.map((schema) => schema[keyword]).filter((value) => typeof value === 'number'));
}

function plainArray(conjuncts: Conjuncts, place: Place): Arbitrary<JsonValue> | undefined {
  const least = Math.max(0, limit(conjuncts, 'minItems', Math.max));
  const most = limit(conjuncts, 'maxItems', Math.min);
  const inside = { ...place, depth: place.depth + 1 };
  const schemas = conjuncts.map(({ items }) => items).filter((items) => items !== undefined);
  const parts = schemas.map((items) => schemaConjuncts(place.root, items));
  const item = parts.includes(undefined)
    ? undefined
    : plainOf(parts.length === 0 ? [text] : parts.flatMap((part) => part ?? []), inside);
  const prefixes = conjuncts.map(({ prefixItems }) => prefixItems).find((prefix) => Array.isArray(prefix));
  if (Array.isArray(prefixes)) {
    const first = prefixes.map((schema) => plainOf(schemaConjuncts(place.root, schema) ?? [nothing], inside));
    const made = first.filter((member) => member !== undefined);
    return made.length < first.length ? undefined : fc.tuple(...made);
  }
  const bounds = {
    minLength: Math.min(Math.max(1, least), most),
    maxLength: Math.min(Math.max(3, least), most),
  };
  if (item === undefined || most === 0) {
    return least === 0 ? fc.constant([]) : undefined;
  }
  return conjuncts.some(({ uniqueItems }) => uniqueItems === true)
    ? fc
        .array(item, bounds)
        .map((items) =>
          items.filter((one, index) => !items.slice(0, index).some((other) => jsonEqual(one, other))),
        )
    : fc.array(item, bounds);
}

function plainOf(conjuncts: Conjuncts, place: Place): Arbitrary<JsonValue> | undefined {
  if (place.depth > deepest) {
    return undefined;
  }
  const { made, names } = place;
  const numbers = conjuncts.map((schema) => {
    const number = names.get(schema) ?? names.size;
    names.set(schema, number);
    return number;
  });
  const name = `${place.depth}: ${numbers.join(' ')}`;
  if (!made.has(name)) {
    made.set(name, makeOf(conjuncts, place));
  }
  return made.get(name);
}

function makeOf(conjuncts: Conjuncts, place: Place): Arbitrary<JsonValue> | undefined {
  const lists = conjuncts.flatMap((schema) => {
    const constant = Object.hasOwn(schema, 'const') ? schema['const'] : undefined;
    const list = constant === undefined ? schema['enum'] : [constant];
    return Array.isArray(list) ? [list] : [];
  });
  const [list] = lists;
  if (list !== undefined) {
    const common = list.filter((value) =>
      lists.every((other) => other.some((item) => jsonEqual(item, value))),
    );
    const wanted = common.length > 1 ? common.filter((value) => value !== null) : common;
    return wanted.length === 0 ? undefined : fc.constantFrom(...wanted);
  }
  if (conjuncts.some((schema) => Array.isArray(schema['oneOf']) || Array.isArray(schema['anyOf']))) {
    return plainChoice(conjuncts, place);
  }
  switch (plainType(conjuncts)) {
    case 'object':
      return plainObject(conjuncts, place);
    case 'array':
      return plainArray(conjuncts, place);
    case 'string':
      return plainString(conjuncts);
    case 'number':
      return plainNumber(conjuncts, 'number');
    case 'integer':
      return plainNumber(conjuncts, 'integer');
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return undefined;
  }
}

/**
 * Generates what meets the keywords of a schema one by one; what they ask for together (`not`, `if`, an
 * exclusive `oneOf`) is for a validator to hold the values against.
 *
 * @param root - a schema that stands alone
 * @returns undefined where no value can be valid
 */
export function plainArbitrary(
  root: JsonSchema,
  optional: OptionalProperties,
): Arbitrary<JsonValue> | undefined {
  const conjuncts = schemaConjuncts(root, root);
  return (
    conjuncts &&
    plainOf(conjuncts, { root, optional, depth: 0, made: new Map(), names: new Map(), chosen: new Map() })
  );
}
