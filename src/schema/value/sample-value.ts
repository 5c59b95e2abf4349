import { distinctItems } from './distinct-items.ts';
import { fitsBounds, sampleNumber } from './number.ts';
import { fitsText, sampleText } from './text.ts';
import { pointerTokens } from '../../json/pointer.ts';
import {
  isJsonNumber,
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
  setOwn,
} from '../../json/value.ts';
import { knownKeyword } from '../known-values.ts';
import { mergeSchema } from '../merge.ts';
import { type JsonSchema, jsonTypeOf, schemasInPlace } from '../walk.ts';

/** Returns the preferred values of a merged schema: a `const`, known values, its examples or a default, in this order. */
export function preferredValues(merged: JsonObject): readonly JsonValue[] {
  const { const: only, [knownKeyword]: known = [], examples = [], default: usual } = merged;
  return [only, ...[known].flat(), ...(Array.isArray(examples) ? examples : []), usual].filter(
    (value) => value !== undefined,
  );
}

/** The maximum depth of a generated value: a schema may require itself. */
const deepest = 8;
/** Limits of optional parts: depth, values and items. In large documents each schema may contain all others. */
const most = { depth: 3, values: 500, items: 2 };
/** The maximum number of required values: a list may require a billion. */
const mostRequired = 50_000;

/**
 * Generates a value by its name, or returns undefined if it cannot.
 *
 * @param names - its name, after the names of the objects that contain it
 * @param schema - merged
 * @param seed - the seed of the object that contains it
 */
export type ValueFromNames = (
  names: readonly string[],
  schema: JsonObject,
  seed: string,
) => JsonValue | undefined;

/** Options for generating whole values. */
export interface GenerateOptions {
  readonly valueFromNames: ValueFromNames;
  /** The names of the whole value, the outermost first. */
  readonly names: readonly string[];
  readonly seed: string;
  /** The properties to leave out, because they are sent in the other direction. */
  readonly without: 'readOnly' | 'writeOnly';
  /** Whether to generate values although the schema has examples. */
  readonly ignoresExamples?: boolean;
}

/**
 * Returns a value for a schema: a `const`, example, default or the first of an `enum` if there is one, else the
 * plainest value of its type with its required parts. Validate it before use. Patterns or contradictions may have no
 * value.
 *
 * @param fill - called for each property with its merged schema; a returned value is used even if it is not required
 */
export function sampleValue(
  schema: JsonSchema,
  fill?: (name: string, schema: JsonObject) => JsonValue | undefined,
): JsonValue | undefined {
  return new Builder(schema, { fill }).build();
}

/** Returns the values that a merged schema shows: its preferred ones, or the only one of its `enum`. */
export function shownValues(merged: JsonObject): readonly JsonValue[] {
  const { enum: listed } = merged;
  return [...preferredValues(merged), ...(Array.isArray(listed) && listed.length === 1 ? listed : [])];
}

/**
 * Returns a value with the parts that its schema shows, at any depth: required parts, as in {@link sampleValue}, and
 * each further property with an example, a `const`, a single `enum` or a default. Validate it before use.
 */
export function shownValue(schema: JsonSchema): JsonValue | undefined {
  return new Builder(schema, { shows: true }).build();
}

/**
 * Repairs a value at any depth: adds missing required parts, and replaces clearly invalid parts with samples. Parts
 * that must match one of several branches are unchanged. Validate it before use.
 */
export function repairSample(schema: JsonSchema, value: JsonValue): JsonValue {
  return new Builder(schema).repair(value);
}

/** Generates a value with optional properties from the examples or names of a schema. Validate it before use. */
export function generateValue(schema: JsonSchema, generation: GenerateOptions): JsonValue | undefined {
  return new Builder(schema, { generation }).build();
}

/** Returns the name of a referenced schema, which describes its value. */
function referredName(schema: JsonValue): readonly string[] {
  const { $ref: reference } = isJsonObject(schema) ? schema : {};
  return typeof reference === 'string' ? pointerTokens(reference.slice(1)).slice(-1) : [];
}

/** The merged keywords of a schema, and whether it has several branches. */
interface SchemaTop {
  readonly merged: JsonObject;
  readonly isBranched: boolean;
}

/** The names of a value, the seed of its object, and its depth. */
interface Place {
  readonly names: readonly string[];
  readonly seed: string;
  readonly depth: number;
}

/** Returns the place of the property of an object. */
const propertyPlace = ({ names, seed, depth }: Place, name: string): Place => ({
  names: [...names, name],
  seed,
  depth: depth + 1,
});

/** Returns the place of an item of a list, or of a value of a map. */
const itemPlace = ({ names, seed, depth }: Place, key: string | number): Place => ({
  names,
  seed: `${seed}/${key}`,
  depth: depth + 1,
});

/** Returns the property names of an object schema, and a function that returns their schemas. */
function memberFinder({ properties, required }: JsonObject): {
  readonly names: readonly string[];
  readonly required: ReadonlySet<string>;
  readonly schemaOf: (name: string) => JsonValue;
} {
  const known = isJsonObject(properties) ? properties : {};
  return {
    names: Object.keys(known),
    required: new Set(Array.isArray(required) ? required.map(String) : []),
    schemaOf: (name) => (Object.hasOwn(known, name) ? known[name] : undefined) ?? true,
  };
}

/** Parts to add besides required ones. */
interface Additions {
  /** Returns the value of a property; undefined leaves it to the builder. */
  readonly fill?: ((name: string, schema: JsonObject) => JsonValue | undefined) | undefined;
  readonly generation?: GenerateOptions;
  /** Whether to add each property whose schema shows a value. */
  readonly shows?: boolean;
}

/** Builds the values of one schema. */
class Builder {
  readonly #root: JsonObject;
  readonly #additions: Additions;
  readonly #tops = new Map<JsonObject, SchemaTop>();
  readonly #outermost: Place;
  #left = most.values;

  constructor(whole: JsonSchema, additions: Additions = {}) {
    const { generation } = additions;
    this.#root = isJsonObject(whole) ? whole : {};
    this.#additions = additions;
    this.#outermost = { names: generation?.names ?? [], seed: generation?.seed ?? '', depth: 0 };
  }

  /** Returns the cached facts of a schema, which each item of an example list needs again. */
  #topOf(schema: JsonObject): SchemaTop {
    const top = this.#tops.get(schema) ?? {
      merged: mergeSchema(this.#root, schema),
      isBranched: hasBranches(this.#root, schema),
    };
    this.#tops.set(schema, top);
    return top;
  }

  /** Returns whether a value may be valid, judged only by its type, `enum`, bounds and time format. */
  #mayBe(schema: JsonObject, value: JsonValue): boolean {
    // The type of one branch does not apply to the others.
    const { isBranched, merged } = this.#topOf(schema);
    return isBranched
      ? schemasInPlace(this.#root, schema, ['allOf']).every((part) => isOfType(value, part))
      : isLike(value, merged);
  }

  /** Returns whether to generate an optional property. */
  #isWanted(merged: () => JsonObject, depth: number): boolean {
    if (this.#additions.shows === true) return this.#left > 0 && this.#isShown(merged(), depth);
    if (this.#additions.generation === undefined || this.#left <= 0) return false;
    const schema = merged();
    if (schema[this.#additions.generation.without] === true) return false;
    const type = typeOf(schema);
    return depth < most.depth || (type !== 'object' && type !== 'array');
  }

  /** Returns whether a schema shows a value for itself, or for one of its properties. */
  #isShown(schema: JsonObject, depth: number): boolean {
    if (schema['writeOnly'] === true || depth > most.depth) return false;
    if (shownValues(schema).length > 0) return true;
    const properties = isJsonObject(schema['properties']) ? Object.values(schema['properties']) : [];
    return properties.some(
      (part) => isJsonObject(part) && this.#isShown(this.#topOf(part).merged, depth + 1),
    );
  }

  #buildObject(schema: JsonObject, place: Place): JsonObject {
    const { names, required, schemaOf } = memberFinder(schema);
    const made: JsonObject = {};
    for (const name of new Set([...required, ...names])) {
      const property = schemaOf(name);
      const part = isJsonObject(property) ? property : {};
      const merged = (): JsonObject => this.#topOf(part).merged;
      const filled = this.#additions.fill?.(name, merged());
      const isMade = filled === undefined && (required.has(name) || this.#isWanted(merged, place.depth));
      const value = isMade ? this.#build(property, propertyPlace(place, name)) : filled;
      // An optional property without a valid value is left out.
      const isKept = !isMade || required.has(name) || (value !== undefined && this.#mayBe(part, value));
      if (value !== undefined && isKept) setOwn(made, name, value);
    }
    const { additionalProperties: further = true } = schema;
    const usual = this.#additions.generation !== undefined && isMap(schema) ? this.#usualItems(place) : 0;
    const atMost = Math.min(Number(schema['maxProperties'] ?? Infinity), mostRequired);
    const fewest = Math.min(Math.max(Number(schema['minProperties'] ?? 0), usual), atMost);
    let missing = fewest - Object.keys(made).length;
    for (let count = 1; missing > 0; count += 1) {
      const name = `key${count}`;
      if (Object.hasOwn(made, name)) continue;
      const value = further === false ? undefined : this.#build(further, itemPlace(place, name));
      // If no value can be generated for one name, none can for another.
      if (value === undefined) break;
      setOwn(made, name, value);
      missing -= 1;
    }
    return made;
  }

  /** Returns the default number of items in a list or a map that may be empty. */
  #usualItems({ depth }: Place): number {
    if (depth >= most.depth || this.#left <= 0) return 0;
    return this.#additions.generation === undefined ? 1 : most.items;
  }

  #buildArray(schema: JsonObject, place: Place): JsonValue[] {
    const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
    const fewest = Math.max(first.length, Number(schema['minItems'] ?? 0));
    const usual = 'items' in schema ? this.#usualItems(place) : 0;
    const length = Math.min(Math.max(fewest, usual), Number(schema['maxItems'] ?? Infinity), mostRequired);
    const items = Array.from({ length }, (_, index) =>
      this.#build(first[index] ?? schema['items'] ?? true, itemPlace(place, index)),
    ).filter((item) => item !== undefined);
    const isUnique = schema['uniqueItems'] === true && first.length === 0;
    if (this.#additions.generation === undefined && !isUnique) return items;
    // Examples of one schema are always equal.
    const wanted = isUnique ? Math.min(fewest, length) : 0;
    const merge = (part: JsonObject): JsonObject => this.#topOf(part).merged;
    const distinct = distinctItems(items, { wanted, schema: schema['items'] ?? true, merge });
    return distinct.length < fewest ? items : distinct;
  }

  /**
   * Repairs a value. Examples in documents often lack required parts, or contain parts that their schemas reject. Those
   * parts are generated, or left out if optional.
   */
  #repair(value: JsonValue, own: JsonObject, place: Place): JsonValue {
    const { isBranched, merged: schema } = this.#topOf(own);
    // The matching branch is unknown.
    if (place.depth > deepest || isBranched) return value;
    if (Array.isArray(value)) {
      const { items } = schema;
      if (!isJsonObject(items)) return value;
      const within = { ...place, depth: place.depth + 1 };
      return value.flatMap((item) =>
        this.#mayBe(items, item) ? [this.#repair(item, items, within)] : (this.#build(items, within) ?? []),
      );
    }
    if (!isJsonObject(value) || 'const' in schema) return value;
    const { required, schemaOf } = memberFinder(schema);
    const repaired: JsonObject = {};
    for (const name of new Set([...Object.keys(value), ...required])) {
      const property = schemaOf(name);
      const part = isJsonObject(property) ? property : {};
      const shown = Object.hasOwn(value, name) ? value[name] : undefined;
      const within = propertyPlace(place, name);
      let whole: JsonValue | undefined;
      if (shown !== undefined && this.#mayBe(part, shown)) whole = this.#repair(shown, part, within);
      else if (required.has(name)) whole = this.#build(property, within);
      if (whole !== undefined) setOwn(repaired, name, whole);
    }
    return repaired;
  }

  #build(schema: JsonValue, place: Place): JsonValue | undefined {
    if (place.depth > deepest || this.#left < -mostRequired) return undefined;
    this.#left -= 1;
    const { merged } = this.#topOf(isJsonObject(schema) ? schema : {});
    const { [knownKeyword]: marked } = merged;
    if (marked !== undefined && this.#additions.generation !== undefined) {
      const drawn = this.#additions.generation.valueFromNames(place.names, { enum: marked }, place.seed);
      if (drawn !== undefined) return drawn;
    }
    // An example does not contain the values of `fill`.
    const preferred =
      this.#additions.fill !== undefined && 'properties' in merged ? [] : preferredValues(merged);
    // Documents sometimes show a text as the example of a number, or null as that of a text.
    const own = isJsonObject(schema) ? schema : {};
    const given = preferred.filter((value) => this.#mayBe(own, value));
    const [example] = given;
    if (example !== undefined && this.#additions.generation?.ignoresExamples !== true)
      return this.#repair(example, own, place);
    const { enum: values } = merged;
    const made = this.#additions.generation?.valueFromNames(place.names, merged, place.seed);
    const known = [made, ...(Array.isArray(values) ? values : [])].find((value) => value !== undefined);
    if (known !== undefined) return known;
    const within = {
      names: [...place.names, ...referredName(schema)],
      seed: `${place.seed}/${place.names.at(-1) ?? ''}`,
      depth: place.depth,
    };
    switch (typeOf(merged)) {
      case 'object':
        return this.#buildObject(merged, within);
      case 'array':
        return this.#buildArray(merged, within);
      case 'integer':
      case 'number':
        return sampleNumber(merged);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return sampleText(merged);
    }
  }

  build(): JsonValue | undefined {
    return this.#build(this.#root, this.#outermost);
  }

  repair(value: JsonValue): JsonValue {
    return this.#repair(value, this.#root, this.#outermost);
  }
}

/** Returns whether a merged schema describes a map: it declares no properties, but a schema for all values. */
function isMap({ properties, propertyNames, patternProperties, additionalProperties }: JsonObject): boolean {
  const hasNames = isJsonObject(properties) && Object.keys(properties).length > 0;
  const isOpen = propertyNames === undefined && patternProperties === undefined;
  return isJsonObject(additionalProperties) && !hasNames && isOpen;
}

/** Returns whether a schema has several branches at its top level. */
function hasBranches(root: JsonObject, schema: JsonObject): boolean {
  return schemasInPlace(root, schema, ['allOf']).some((part) =>
    [part['oneOf'], part['anyOf']].some((branches) => Array.isArray(branches) && branches.length > 1),
  );
}

const times: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/u,
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/u,
};

/** Returns whether a value may be valid by the top level of its merged schema. */
function isLike(value: JsonValue, merged: JsonObject): boolean {
  const { enum: values, format } = merged;
  if (!isOfType(value, merged)) return false;
  if (Array.isArray(values) && !values.some((each) => jsonEqual(each, value))) return false;
  if (isJsonNumber(value)) {
    const types = [merged['type'] ?? 'number'].flat();
    return fitsBounds(value, { ...merged, type: types.includes('number') ? 'number' : 'integer' });
  }
  if (typeof value !== 'string') return true;
  const time = typeof format === 'string' ? times[format] : undefined;
  return fitsText(value, merged) && time?.test(value) !== false;
}

/** Returns whether a merged schema allows the type of a value (JSON Schema 2020-12 validation §6.1.1). */
function isOfType(value: JsonValue, { type }: JsonObject): boolean {
  if (type === undefined) return true;
  const own = jsonTypeOf(value);
  return [type].flat().some((each) => each === own || (each === 'integer' && own === 'number'));
}

/** Returns the type of generated values for a merged schema: the first that is not null. */
export function typeOf(schema: JsonObject): JsonValue {
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type'] ?? undefined];
  const type = types.find((each) => each !== 'null') ?? types[0];
  if (type !== undefined) return type;
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'string';
}
