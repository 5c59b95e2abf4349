import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type CompiledSchema, compileSchema } from './compile.ts';
import { isKnownAt, type KnownPlace, type KnownValue, unknownPlace } from './known-place.ts';
import { type JsonSchema, mapSubschemas } from './walk.ts';

const asserting = { formats: 'assert', integers: 'by-value' } as const;

/** Returns the known values that a schema accepts, each in its first accepted reading. */
export function acceptedValues(values: readonly KnownValue[], schema: JsonSchema): readonly JsonValue[] {
  if (values.length === 0) return [];
  const { accepts } = compileSchema({ schema, pointer: '' }).validator(asserting);
  return values.flatMap((readings) => {
    const accepted = readings.find((value) => accepts(value, holdsExactNumber(value)));
    return accepted === undefined ? [] : [accepted];
  });
}

/**
 * Returns a valid value with a known value at each place that has one: another value there is replaced with the first
 * known one that keeps the whole valid. Returns the same value if nothing is replaced.
 */
export function withKnownValues(schema: CompiledSchema | undefined, value: JsonValue): JsonValue {
  if (schema?.known === undefined) return value;
  const { accepts } = schema.validator(asserting);
  return replaceUnknown(value, schema.known, (whole) => accepts(whole, holdsExactNumber(whole)));
}

/** `isValid` returns whether the whole is valid with another value in this place. */
function replaceUnknown(
  value: JsonValue,
  known: KnownPlace,
  isValid: (other: JsonValue) => boolean,
): JsonValue {
  if (known === unknownPlace || isKnownAt(known, value)) return value;
  const found = known.values.flat().find(isValid);
  if (found !== undefined) return found;
  let replaced = value;
  const replace = (token: string, member: JsonValue, put: (other: JsonValue) => JsonValue): void => {
    const own = replaceUnknown(member, known.below(token), (other) => isValid(put(other)));
    if (own !== member) replaced = put(own);
  };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      replace(String(index), item, (other) =>
        Array.isArray(replaced) ? replaced.with(index, other) : replaced,
      );
    }
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      replace(name, member, (other) => (isJsonObject(replaced) ? { ...replaced, [name]: other } : replaced));
    }
  }
  return replaced;
}

/** The keyword of known values in the schemas of a mock, which generators of data prefer. Validators ignore it. */
export const knownKeyword = 'x-cloche-known-values';

/** Copies a schema with the accepted known values at each property of a name; they replace its examples. */
export function markKnownValues(
  root: JsonObject,
  names: ReadonlyMap<string, readonly KnownValue[]>,
  copies: WeakMap<JsonObject, JsonObject>,
): JsonObject {
  function copy(schema: JsonSchema): JsonSchema {
    if (!isJsonObject(schema)) return schema;
    const known = copies.get(schema);
    if (known !== undefined) return known;
    const { properties, ...others } = mapSubschemas(schema, copy);
    const marked = isJsonObject(properties)
      ? Object.entries(properties).map(([name, property]) => [name, mark(property, names.get(name))] as const)
      : [];
    const made = isJsonObject(properties) ? { ...others, properties: Object.fromEntries(marked) } : others;
    copies.set(schema, made);
    return made;
  }

  function mark(property: JsonValue, values: readonly KnownValue[] | undefined): JsonValue {
    if (values === undefined || !isJsonObject(property)) return property;
    const accepted = [...acceptedValues(values, partOf(root, property))];
    if (accepted.length > 0) return { ...property, examples: accepted, [knownKeyword]: accepted };
    const { items = true } = property;
    const marked = mark(items, values);
    if (marked === items) return property;
    const { examples: _, ...others } = property;
    return { ...others, items: marked };
  }

  // `as`: a copy of an object is an object.
  return copy(root) as JsonObject;
}

/** Returns a part of a schema with the definitions that it refers to. */
export function partOf(root: JsonSchema, part: JsonSchema): JsonSchema {
  const { $defs } = isJsonObject(root) ? root : {};
  return isJsonObject(part) && $defs !== undefined ? { ...part, $defs } : part;
}
