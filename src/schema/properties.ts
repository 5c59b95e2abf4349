import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { integerFormats } from './exact-keywords.ts';
import {
  allowsFurther,
  inPlaceKeywords,
  type JsonSchema,
  referencedSchema,
  schemasInPlace,
  subschemasAt,
} from './walk.ts';

/** Caches: checks and generators use the same schemas repeatedly. */
const namesOfSchema = new WeakMap<JsonObject, ReadonlySet<string>>();
const propertiesOfSchema = new WeakMap<JsonObject, ReadonlyMap<string, SchemaProperty>>();
const declaredOfSchema = new WeakMap<JsonObject, ReadonlySet<string> | undefined>();
const partsOfSchema = new WeakMap<JsonObject, Map<JsonObject, JsonObject>>();

/**
 * Returns the names of all properties that a self-contained schema declares for an object, including those in branches
 * of `oneOf`, `anyOf`, `if` or `not`.
 */
export function namedProperties(schema: JsonSchema): ReadonlySet<string> {
  if (!isJsonObject(schema)) return new Set();
  const known = namesOfSchema.get(schema);
  if (known !== undefined) return known;
  const names = new Set(schemasInPlace(schema, schema, [...inPlaceKeywords, 'not']).flatMap(ownNames));
  namesOfSchema.set(schema, names);
  return names;
}

function ownNames({ properties }: JsonObject): readonly string[] {
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/** A property that a schema declares. */
export interface SchemaProperty {
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** Whether it is only sent in responses. */
  readonly readOnly: boolean;
  /** Whether it is only sent in requests. */
  readonly writeOnly: boolean;
}

/**
 * Returns the properties that a self-contained schema declares for an object, including `$ref`, its siblings and
 * `allOf`. Branches of `oneOf`, `anyOf` and `if` are ignored.
 */
export function schemaProperties(schema: JsonSchema | undefined): ReadonlyMap<string, SchemaProperty> {
  if (!isJsonObject(schema)) return new Map();
  const known = propertiesOfSchema.get(schema);
  if (known !== undefined) return known;
  const found = new Map<string, SchemaProperty>();
  for (const part of schemasInPlace(schema, schema, ['allOf'])) {
    for (const [name, value] of Object.entries(isJsonObject(part['properties']) ? part['properties'] : {})) {
      if (typeof value !== 'boolean' && !isJsonObject(value)) continue;
      const earlier = found.get(name);
      const parts = schemasInPlace(schema, value);
      found.set(name, {
        schema: both(earlier?.schema ?? true, value),
        required: earlier?.required ?? false,
        readOnly: earlier?.readOnly === true || parts.some((each) => each['readOnly'] === true),
        writeOnly: earlier?.writeOnly === true || parts.some((each) => each['writeOnly'] === true),
      });
    }
    for (const name of Array.isArray(part['required']) ? part['required'] : []) {
      if (typeof name !== 'string') continue;
      const property = found.get(name) ?? { schema: true, readOnly: false, writeOnly: false };
      found.set(name, { ...property, required: true });
    }
  }
  propertiesOfSchema.set(schema, found);
  return found;
}

/** Returns the schema at a path of property names in a self-contained schema. The result is self-contained, too. */
export function schemaAt(
  schema: JsonSchema | undefined,
  [name, ...rest]: readonly string[],
): JsonSchema | undefined {
  if (name === undefined) return schema;
  const member = schemaProperties(schema).get(name)?.schema;
  return schemaAt(isJsonObject(member) ? selfContained(schema, member) : member, rest);
}

/** Returns a part of a self-contained schema with the definitions that it may refer to; the same one for the same part. */
function selfContained(schema: JsonSchema | undefined, part: JsonObject): JsonObject {
  if (!isJsonObject(schema) || schema['$defs'] === undefined) return part;
  const known = partsOfSchema.get(schema) ?? new Map<JsonObject, JsonObject>();
  const made = known.get(part) ?? { ...part, $defs: schema['$defs'] };
  partsOfSchema.set(schema, known.set(part, made));
  return made;
}

/** Combines two schemas of one property. */
function both(earlier: JsonSchema, later: JsonSchema): JsonSchema {
  if (earlier === true || later === true) return earlier === true ? later : earlier;
  return { allOf: [earlier, later] };
}

/**
 * Returns the properties that a schema declares or requires, including all branches. Undefined if it declares none or
 * allows further ones by `patternProperties` or `additionalProperties`: no name is undeclared then.
 */
export function declaredNames(schema: JsonSchema): ReadonlySet<string> | undefined {
  if (!isJsonObject(schema)) return undefined;
  if (!declaredOfSchema.has(schema)) declaredOfSchema.set(schema, findDeclaredNames(schema));
  return declaredOfSchema.get(schema);
}

function findDeclaredNames(schema: JsonObject): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const seen = new Set<JsonObject>();

  /** Collects in the order of a representation: the target of the reference, then this schema, then its branches. */
  function collect(part: JsonValue | undefined): void {
    if (!isJsonObject(part) || seen.has(part)) return;
    seen.add(part);
    collect(referencedSchema(schema, part));
    ownNames(part).forEach((name) => names.add(name));
    subschemasAt(part, inPlaceKeywords).forEach(collect);
  }

  collect(schema);
  if (names.size === 0 || [...seen].some(allowsFurther)) return undefined;
  const required = [...seen].flatMap((part) => part['required'] ?? []);
  required.forEach((name) => typeof name === 'string' && names.add(name));
  return names;
}

/** Returns the schemas in a self-contained one that have an integer format with a range. */
export function findRangedSchemas(schema: JsonSchema): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const found: JsonObject[] = [];
  const { $defs } = schema;
  collectRanged(schema, found);
  for (const definition of isJsonObject($defs) ? Object.values($defs) : []) {
    if (!isJsonObject(definition)) continue;
    const known = rangedIn.get(definition) ?? [];
    if (!rangedIn.has(definition)) {
      rangedIn.set(definition, known);
      collectRanged(definition, known);
    }
    found.push(...known);
  }
  return found;
}

/** Cached per definition, because many schemas share definitions. */
const rangedIn = new WeakMap<JsonObject, JsonObject[]>();

function collectRanged(value: JsonValue | undefined, found: JsonObject[]): void {
  if (Array.isArray(value)) {
    value.forEach((item) => {
      collectRanged(item, found);
    });
  } else if (isJsonObject(value)) {
    if (typeof value['format'] === 'string' && integerFormats.has(value['format'])) {
      found.push(value);
    }
    for (const [keyword, member] of Object.entries(value)) {
      if (keyword !== '$defs') collectRanged(member, found);
    }
  }
}

/** Returns the schema of the items of an array, or of the values of a map; it is self-contained. */
export function itemSchema(
  schema: JsonSchema | undefined,
  keyword: 'items' | 'additionalProperties' = 'items',
): JsonSchema | undefined {
  const found = schemasInPlace(schema ?? true, schema ?? true).find((part) => isJsonObject(part[keyword]))?.[
    keyword
  ];
  return isJsonObject(found) ? selfContained(schema, found) : undefined;
}
