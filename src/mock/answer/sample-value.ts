import { ExactNumber } from '../../json/exact-number.ts';
import { distinctItems } from './distinct-items.ts';
import { fitsBounds, sampleNumber } from './sample-number.ts';
import { lengthsOf, sampleText } from './sample-text.ts';
import { pointerTokens } from '../../json/pointer.ts';
import {
  isJsonNumber,
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
  setOwn,
} from '../../json/value.ts';
import { mergeSchema } from '../../schema/merge.ts';
import { fitsPattern } from '../../schema/pattern.ts';
import { type JsonSchema, schemasInPlace } from '../../schema/walk.ts';

export { mergeSchema } from '../../schema/merge.ts';

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
  return createBuilder(schema, { fill }).build();
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
  return createBuilder(schema, { shows: true }).build();
}

/**
 * A value with what its schema requires and it lacks, at any depth, and with samples in place of what the schema plainly does
 * not take. What has to fit one branch of several is left as it is. Validate it before it is used.
 */
export function mendValue(schema: JsonSchema, value: JsonValue): JsonValue {
  return createBuilder(schema, {}).mend(value);
}

/** Generates a value with optional properties from the examples or names of a schema. Validate it before use. */
export function makeUpValue(schema: JsonSchema, madeUp: MadeUp): JsonValue | undefined {
  return createBuilder(schema, { madeUp }).build();
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

/** What a value is called, and the seed of the object which it lies in. */
interface Place {
  readonly names: readonly string[];
  readonly seed: string;
}

/** What a builder puts in besides what schemas require. */
interface Additions {
  /** The value of a property; undefined leaves it to the builder. */
  readonly fill?: ((name: string, schema: JsonObject) => JsonValue | undefined) | undefined;
  readonly madeUp?: MadeUp;
  /** Whether each property is put in that its schema shows a value for. */
  readonly shows?: boolean;
}

function createBuilder(
  whole: JsonSchema,
  { fill, madeUp, shows = false }: Additions,
): { readonly build: () => JsonValue | undefined; readonly mend: (value: JsonValue) => JsonValue } {
  const root = isJsonObject(whole) ? whole : {};
  const tops = new Map<JsonObject, SchemaTop>();
  let left = most.values;

  /** A list of examples asks for the same schemas again with each item. */
  function topOf(schema: JsonObject): SchemaTop {
    const top = tops.get(schema) ?? {
      merged: mergeSchema(root, schema),
      isBranched: hasBranches(root, schema),
    };
    tops.set(schema, top);
    return top;
  }

  /** Whether nothing speaks against a value that is seen without looking into it: its type, `enum`, bounds and times. */
  function mayBe(schema: JsonObject, value: JsonValue): boolean {
    // The type of one branch is not that of the others.
    const { isBranched, merged } = topOf(schema);
    return isBranched
      ? schemasInPlace(root, schema, ['allOf']).every((part) => isOfType(value, part))
      : isLike(value, merged);
  }

  /** Whether a property that is not required is made up all the same. */
  function isWanted(merged: () => JsonObject, depth: number): boolean {
    if (shows) return left > 0 && isShown(merged(), depth);
    if (madeUp === undefined || left <= 0) return false;
    const schema = merged();
    if (schema[madeUp.without] === true) return false;
    const type = typeOf(schema);
    return depth < most.depth || (type !== 'object' && type !== 'array');
  }

  /** Whether a schema shows a value for itself, or for a property in it. */
  function isShown(schema: JsonObject, depth: number): boolean {
    if (schema['writeOnly'] === true || depth > most.depth) return false;
    if (shownValues(schema).length > 0) return true;
    const properties = isJsonObject(schema['properties']) ? Object.values(schema['properties']) : [];
    return properties.some((part) => isJsonObject(part) && isShown(topOf(part).merged, depth + 1));
  }

  function buildObject(schema: JsonObject, depth: number, { names, seed }: Place): JsonObject {
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const required = new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : []);
    const made: JsonObject = {};
    for (const name of new Set([...required, ...Object.keys(properties)])) {
      const property = (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? true;
      const part = isJsonObject(property) ? property : {};
      const merged = (): JsonObject => topOf(part).merged;
      const filled = fill?.(name, merged());
      const isMade = filled === undefined && (required.has(name) || isWanted(merged, depth));
      const value = isMade ? build(property, depth + 1, { names: [...names, name], seed }) : filled;
      // What nothing fits is better left out where it may be.
      const isKept = !isMade || required.has(name) || (value !== undefined && mayBe(part, value));
      if (value !== undefined && isKept) setOwn(made, name, value);
    }
    const { additionalProperties: further = true } = schema;
    const usual = madeUp !== undefined && isMap(schema) && depth < most.depth && left > 0 ? most.items : 0;
    const atMost = Math.min(Number(schema['maxProperties'] ?? Infinity), mostRequired);
    const fewest = Math.min(Math.max(Number(schema['minProperties'] ?? 0), usual), atMost);
    let missing = fewest - Object.keys(made).length;
    for (let count = 1; missing > 0; count += 1) {
      const name = `key${count}`;
      if (Object.hasOwn(made, name)) continue;
      const value =
        further === false ? undefined : build(further, depth + 1, { names, seed: `${seed}/${name}` });
      // Where none can be made of one name, none can of another.
      if (value === undefined) break;
      setOwn(made, name, value);
      missing -= 1;
    }
    return made;
  }

  function buildArray(schema: JsonObject, depth: number, { names, seed }: Place): JsonValue[] {
    const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
    const fewest = Math.max(first.length, Number(schema['minItems'] ?? 0));
    const usual = 'items' in schema && depth < 3 && left > 0 ? (madeUp === undefined ? 1 : most.items) : 0;
    const length = Math.min(Math.max(fewest, usual), Number(schema['maxItems'] ?? Infinity), mostRequired);
    const items = Array.from({ length }, (_, index) =>
      build(first[index] ?? schema['items'] ?? true, depth + 1, { names, seed: `${seed}/${index}` }),
    ).filter((item) => item !== undefined);
    const isUnique = schema['uniqueItems'] === true && first.length === 0;
    if (madeUp === undefined && !isUnique) return items;
    // The examples of one schema are the same each time.
    const wanted = isUnique ? Math.min(fewest, length) : 0;
    const merge = (part: JsonObject): JsonObject => topOf(part).merged;
    const distinct = distinctItems(items, { wanted, schema: schema['items'] ?? true, merge });
    return distinct.length < fewest ? items : distinct;
  }

  /**
   * A value with what it lacks: documents show objects without what they require, and in them what their schemas do not
   * take. That is made anew, or left out where it is not required.
   */
  function mend(value: JsonValue, own: JsonObject, depth: number, place: Place): JsonValue {
    const { isBranched, merged: schema } = topOf(own);
    // Which branch it follows is not known.
    if (depth > deepest || isBranched) return value;
    if (Array.isArray(value)) {
      const { items } = schema;
      if (!isJsonObject(items)) return value;
      return value.flatMap((item) =>
        mayBe(items, item) ? [mend(item, items, depth + 1, place)] : (build(items, depth + 1, place) ?? []),
      );
    }
    if (!isJsonObject(value) || 'const' in schema) return value;
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    const mended: JsonObject = {};
    for (const name of new Set([...Object.keys(value), ...required])) {
      const property = (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? true;
      const within = { names: [...place.names, name], seed: place.seed };
      const part = isJsonObject(property) ? property : {};
      const shown = Object.hasOwn(value, name) ? value[name] : undefined;
      const whole =
        shown !== undefined && mayBe(part, shown)
          ? mend(shown, part, depth + 1, within)
          : required.includes(name)
            ? build(property, depth + 1, within)
            : undefined;
      if (whole !== undefined) setOwn(mended, name, whole);
    }
    return mended;
  }

  function build(schema: JsonValue, depth: number, place: Place): JsonValue | undefined {
    if (depth > deepest || left < -mostRequired) return undefined;
    left -= 1;
    const { merged } = topOf(isJsonObject(schema) ? schema : {});
    // An example knows nothing of what is to be filled in.
    const preferred = fill !== undefined && 'properties' in merged ? [] : preferredValues(merged);
    // Documents show texts as the example of a number, and null as that of a text.
    const own = isJsonObject(schema) ? schema : {};
    const given = preferred.filter((value) => mayBe(own, value));
    const [example] = given;
    if (example !== undefined && madeUp?.ignoresExamples !== true) return mend(example, own, depth, place);
    const { enum: values } = merged;
    const made = madeUp?.makeUp(place.names, merged, place.seed);
    const known = [made, ...(Array.isArray(values) ? values : [])].find((value) => value !== undefined);
    if (known !== undefined) return known;
    const within = {
      names: [...place.names, ...referredName(schema)],
      seed: `${place.seed}/${place.names.at(-1) ?? ''}`,
    };
    switch (typeOf(merged)) {
      case 'object':
        return buildObject(merged, depth, within);
      case 'array':
        return buildArray(merged, depth, within);
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

  const outermost = { names: madeUp?.names ?? [], seed: madeUp?.seed ?? '' };
  return { build: () => build(root, 0, outermost), mend: (value) => mend(value, root, 0, outermost) };
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
  const { enum: values, format, pattern } = merged;
  if (!isOfType(value, merged)) return false;
  if (Array.isArray(values) && !values.some((each) => jsonEqual(each, value))) return false;
  if (isJsonNumber(value)) {
    const types = [merged['type'] ?? 'number'].flat();
    return fitsBounds(value, { ...merged, type: types.includes('number') ? 'number' : 'integer' });
  }
  if (typeof value !== 'string') return true;
  if (typeof pattern === 'string' && !fitsPattern(value, pattern)) return false;
  const { shortest, longest } = lengthsOf(merged);
  const time = typeof format === 'string' ? times[format] : undefined;
  const { length } = [...value];
  return length >= shortest && length <= longest && time?.test(value) !== false;
}

/** Whether a value is of a type that a schema, merged, allows (JSON Schema 2020-12 validation §6.1.1). */
function isOfType(value: JsonValue, { type }: JsonObject): boolean {
  if (type === undefined) return true;
  const own = Array.isArray(value)
    ? 'array'
    : value === null
      ? 'null'
      : value instanceof ExactNumber
        ? 'number'
        : typeof value;
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
