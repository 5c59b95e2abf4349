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
import { mergeSchema } from '../merge.ts';
import { type JsonSchema, jsonTypeOf, schemasInPlace } from '../walk.ts';

/** The values that a schema, merged, prefers for itself: a `const`, its examples or a default, in this order. */
export function preferredValues({ const: only, examples, default: usual }: JsonObject): readonly JsonValue[] {
  return [only, ...(Array.isArray(examples) ? examples : []), usual].filter((value) => value !== undefined);
}

/** How deep a made value goes before it gives up: a schema may require itself. */
const deepest = 8;
/** How deep what is not required is made up, and how many values at most: large documents hold each schema in each other. */
const most = { depth: 3, values: 500, items: 2 };
/** How many values are made of what is required: a list may have to hold a billion. */
const mostRequired = 50_000;

/**
 * Makes up a value by its name, or gives undefined where it cannot.
 *
 * @param names - what it is called, and before it what it lies in
 * @param schema - merged
 * @param seed - that of the object which it lies in
 */
export type MakeUp = (names: readonly string[], schema: JsonObject, seed: string) => JsonValue | undefined;

/** How whole values are made up. */
export interface MadeUp {
  readonly makeUp: MakeUp;
  /** What the whole is called, the outermost first. */
  readonly names: readonly string[];
  readonly seed: string;
  /** What is left out, as it travels the other way. */
  readonly without: 'readOnly' | 'writeOnly';
  /** Whether the values are made up although the schema has examples. */
  readonly ignoresExamples?: boolean;
}

/**
 * A value made for a schema: a `const`, example, default or the first of an `enum` where there is one, else
 * the plainest value of its type with what it requires. Validate it before it is used; for a pattern or a
 * contradiction there is none.
 *
 * @param fill - asked for each property, its schema merged; what it names is put in even where it is not required
 */
export function sampleValue(
  schema: JsonSchema,
  fill?: (name: string, schema: JsonObject) => JsonValue | undefined,
): JsonValue | undefined {
  return new Builder(schema, { fill }).build();
}

/** The values that a schema, merged, shows for itself: those that it prefers, or the only one that its `enum` lists. */
export function shownValues(merged: JsonObject): readonly JsonValue[] {
  const { enum: listed } = merged;
  return [...preferredValues(merged), ...(Array.isArray(listed) && listed.length === 1 ? listed : [])];
}

/**
 * A value with what its schema shows, at any depth: what it requires, as {@link sampleValue} makes it, and each further
 * property that has an example, a `const`, a single `enum` or a default. Validate it before it is used.
 */
export function shownValue(schema: JsonSchema): JsonValue | undefined {
  return new Builder(schema, { shows: true }).build();
}

/**
 * A value with what its schema requires and it lacks, at any depth, and with samples in place of what the schema plainly does
 * not take. What has to fit one branch of several is left as it is. Validate it before it is used.
 */
export function mendValue(schema: JsonSchema, value: JsonValue): JsonValue {
  return new Builder(schema).mend(value);
}

/** Generates a value with optional properties from the examples or names of a schema. Validate it before use. */
export function makeUpValue(schema: JsonSchema, madeUp: MadeUp): JsonValue | undefined {
  return new Builder(schema, { madeUp }).build();
}

/** A schema that is referred to says by its own name what a value is. */
function referredName(schema: JsonValue): readonly string[] {
  const { $ref: reference } = isJsonObject(schema) ? schema : {};
  return typeof reference === 'string' ? pointerTokens(reference.slice(1)).slice(-1) : [];
}

/** What a schema asks of a value at its top, and whether it leaves it a choice there. */
interface SchemaTop {
  readonly merged: JsonObject;
  readonly isBranched: boolean;
}

/** What a value is called, the seed of its object, and how deep it lies. */
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

/** Returns how the properties of an object schema are found. */
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

/** What a builder puts in besides what schemas require. */
interface Additions {
  /** The value of a property; undefined leaves it to the builder. */
  readonly fill?: ((name: string, schema: JsonObject) => JsonValue | undefined) | undefined;
  readonly madeUp?: MadeUp;
  /** Whether each property is put in that its schema shows a value for. */
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
    const { madeUp } = additions;
    this.#root = isJsonObject(whole) ? whole : {};
    this.#additions = additions;
    this.#outermost = { names: madeUp?.names ?? [], seed: madeUp?.seed ?? '', depth: 0 };
  }

  /** A list of examples asks for the same schemas again with each item. */
  #topOf(schema: JsonObject): SchemaTop {
    const top = this.#tops.get(schema) ?? {
      merged: mergeSchema(this.#root, schema),
      isBranched: hasBranches(this.#root, schema),
    };
    this.#tops.set(schema, top);
    return top;
  }

  /** Whether nothing speaks against a value that is seen without looking into it: its type, `enum`, bounds and times. */
  #mayBe(schema: JsonObject, value: JsonValue): boolean {
    // The type of one branch is not that of the others.
    const { isBranched, merged } = this.#topOf(schema);
    return isBranched
      ? schemasInPlace(this.#root, schema, ['allOf']).every((part) => isOfType(value, part))
      : isLike(value, merged);
  }

  /** Whether a property that is not required is made up all the same. */
  #isWanted(merged: () => JsonObject, depth: number): boolean {
    if (this.#additions.shows === true) return this.#left > 0 && this.#isShown(merged(), depth);
    if (this.#additions.madeUp === undefined || this.#left <= 0) return false;
    const schema = merged();
    if (schema[this.#additions.madeUp.without] === true) return false;
    const type = typeOf(schema);
    return depth < most.depth || (type !== 'object' && type !== 'array');
  }

  /** Whether a schema shows a value for itself, or for a property in it. */
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
      // What nothing fits is better left out where it may be.
      const isKept = !isMade || required.has(name) || (value !== undefined && this.#mayBe(part, value));
      if (value !== undefined && isKept) setOwn(made, name, value);
    }
    const { additionalProperties: further = true } = schema;
    const usual = this.#additions.madeUp !== undefined && isMap(schema) ? this.#usualItems(place) : 0;
    const atMost = Math.min(Number(schema['maxProperties'] ?? Infinity), mostRequired);
    const fewest = Math.min(Math.max(Number(schema['minProperties'] ?? 0), usual), atMost);
    let missing = fewest - Object.keys(made).length;
    for (let count = 1; missing > 0; count += 1) {
      const name = `key${count}`;
      if (Object.hasOwn(made, name)) continue;
      const value = further === false ? undefined : this.#build(further, itemPlace(place, name));
      // Where none can be made of one name, none can of another.
      if (value === undefined) break;
      setOwn(made, name, value);
      missing -= 1;
    }
    return made;
  }

  /** Returns how many items a list or a map gets that may be empty. */
  #usualItems({ depth }: Place): number {
    if (depth >= most.depth || this.#left <= 0) return 0;
    return this.#additions.madeUp === undefined ? 1 : most.items;
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
    if (this.#additions.madeUp === undefined && !isUnique) return items;
    // The examples of one schema are the same each time.
    const wanted = isUnique ? Math.min(fewest, length) : 0;
    const merge = (part: JsonObject): JsonObject => this.#topOf(part).merged;
    const distinct = distinctItems(items, { wanted, schema: schema['items'] ?? true, merge });
    return distinct.length < fewest ? items : distinct;
  }

  /**
   * A value with what it lacks: documents show objects without what they require, and in them what their schemas do not
   * take. That is made anew, or left out where it is not required.
   */
  #mend(value: JsonValue, own: JsonObject, place: Place): JsonValue {
    const { isBranched, merged: schema } = this.#topOf(own);
    // Which branch it follows is not known.
    if (place.depth > deepest || isBranched) return value;
    if (Array.isArray(value)) {
      const { items } = schema;
      if (!isJsonObject(items)) return value;
      const within = { ...place, depth: place.depth + 1 };
      return value.flatMap((item) =>
        this.#mayBe(items, item) ? [this.#mend(item, items, within)] : (this.#build(items, within) ?? []),
      );
    }
    if (!isJsonObject(value) || 'const' in schema) return value;
    const { required, schemaOf } = memberFinder(schema);
    const mended: JsonObject = {};
    for (const name of new Set([...Object.keys(value), ...required])) {
      const property = schemaOf(name);
      const part = isJsonObject(property) ? property : {};
      const shown = Object.hasOwn(value, name) ? value[name] : undefined;
      const within = propertyPlace(place, name);
      let whole: JsonValue | undefined;
      if (shown !== undefined && this.#mayBe(part, shown)) whole = this.#mend(shown, part, within);
      else if (required.has(name)) whole = this.#build(property, within);
      if (whole !== undefined) setOwn(mended, name, whole);
    }
    return mended;
  }

  #build(schema: JsonValue, place: Place): JsonValue | undefined {
    if (place.depth > deepest || this.#left < -mostRequired) return undefined;
    this.#left -= 1;
    const { merged } = this.#topOf(isJsonObject(schema) ? schema : {});
    // An example knows nothing of what is to be filled in.
    const preferred =
      this.#additions.fill !== undefined && 'properties' in merged ? [] : preferredValues(merged);
    // Documents show texts as the example of a number, and null as that of a text.
    const own = isJsonObject(schema) ? schema : {};
    const given = preferred.filter((value) => this.#mayBe(own, value));
    const [example] = given;
    if (example !== undefined && this.#additions.madeUp?.ignoresExamples !== true)
      return this.#mend(example, own, place);
    const { enum: values } = merged;
    const made = this.#additions.madeUp?.makeUp(place.names, merged, place.seed);
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

  mend(value: JsonValue): JsonValue {
    return this.#mend(value, this.#root, this.#outermost);
  }
}

/** Whether a schema, merged, describes a map: it names no properties, and describes the values of any. */
function isMap({ properties, propertyNames, patternProperties, additionalProperties }: JsonObject): boolean {
  const hasNames = isJsonObject(properties) && Object.keys(properties).length > 0;
  const isOpen = propertyNames === undefined && patternProperties === undefined;
  return isJsonObject(additionalProperties) && !hasNames && isOpen;
}

/** Whether a value has to fit one branch of several, as far as the top of its schema says. */
function hasBranches(root: JsonObject, schema: JsonObject): boolean {
  return schemasInPlace(root, schema, ['allOf']).some((part) =>
    [part['oneOf'], part['anyOf']].some((branches) => Array.isArray(branches) && branches.length > 1),
  );
}

const times: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/u,
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/u,
};

/** Whether nothing speaks against a value at the top of its schema, merged. */
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

/** Whether a value is of a type that a schema, merged, allows (JSON Schema 2020-12 validation §6.1.1). */
function isOfType(value: JsonValue, { type }: JsonObject): boolean {
  if (type === undefined) return true;
  const own = jsonTypeOf(value);
  return [type].flat().some((each) => each === own || (each === 'integer' && own === 'number'));
}

/** The type that values are made of for a schema, merged: the first that is not null. */
export function typeOf(schema: JsonObject): JsonValue {
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type'] ?? undefined];
  const type = types.find((each) => each !== 'null') ?? types[0];
  if (type !== undefined) return type;
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'string';
}
