import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { integerFormats } from './exact-keywords.ts';
import { type JsonSchema, resolveLocal, schemasInPlace } from './walk.ts';

/** Keywords whose subschemas look at the same object (JSON Schema 2020-12 core §10.2). */
const lists = ['allOf', 'oneOf', 'anyOf'];
const single = ['if', 'then', 'else', 'not'];

const noNames: ReadonlySet<string> = new Set();
const collectedNames = new WeakMap<JsonObject, ReadonlySet<string>>();

function collectParts(root: JsonObject, schema: JsonObject, seen: Set<JsonObject>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const { $ref: reference, dependentSchemas } = schema;
  const target =
    typeof reference === 'string' && reference.startsWith('#') ? resolveLocal(root, reference) : undefined;
  const parts = [
    target,
    ...lists.flatMap((keyword) => schema[keyword] ?? []),
    ...single.map((keyword) => schema[keyword]),
    ...(isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
  ];
  for (const part of parts) {
    if (isJsonObject(part)) {
      collectParts(root, part, seen);
    }
  }
}

/**
 * The names of all properties that a self-contained schema speaks of for an object, those among them that only some
 * branch of `oneOf`, `anyOf` or `if` declares.
 */
export function namedProperties(schema: JsonSchema): ReadonlySet<string> {
  if (!isJsonObject(schema)) return noNames;
  const known = collectedNames.get(schema);
  if (known !== undefined) return known;
  const parts = new Set<JsonObject>();
  collectParts(schema, schema, parts);
  const names = new Set(
    [...parts].flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : [])),
  );
  collectedNames.set(schema, names);
  return names;
}

/** A property that a schema declares. */
interface SchemaProperty {
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** Whether it travels in responses alone. */
  readonly readOnly: boolean;
  /** Whether it travels in requests alone. */
  readonly writeOnly: boolean;
}

const noProperties: ReadonlyMap<string, SchemaProperty> = new Map();
/** Checks and generators ask for the same schemas again and again. */
const collectedProperties = new WeakMap<JsonObject, ReadonlyMap<string, SchemaProperty>>();

/** What two places that declare one property ask of it together. */
function both(earlier: JsonSchema, later: JsonSchema): JsonSchema {
  if (earlier === true || later === true) return earlier === true ? later : earlier;
  return { allOf: [earlier, later] };
}

function collectProperties(
  root: JsonObject,
  schema: JsonObject,
  found: Map<string, SchemaProperty>,
  seen: Set<JsonObject>,
): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const reference = schema['$ref'];
  if (typeof reference === 'string' && reference.startsWith('#')) {
    const target = resolveLocal(root, reference);
    if (isJsonObject(target)) {
      collectProperties(root, target, found, seen);
    }
  }
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'].filter(isJsonObject) : [];
  for (const part of parts) {
    collectProperties(root, part, found, seen);
  }
  if (isJsonObject(schema['properties'])) {
    for (const [name, value] of Object.entries(schema['properties'])) {
      if (typeof value === 'boolean' || isJsonObject(value)) {
        const earlier = found.get(name);
        const parts = schemasInPlace(root, value);
        found.set(name, {
          schema: both(earlier?.schema ?? true, value),
          required: earlier?.required ?? false,
          readOnly: earlier?.readOnly === true || parts.some((part) => part['readOnly'] === true),
          writeOnly: earlier?.writeOnly === true || parts.some((part) => part['writeOnly'] === true),
        });
      }
    }
  }
  for (const name of Array.isArray(schema['required']) ? schema['required'] : []) {
    if (typeof name === 'string') {
      const property = found.get(name) ?? { schema: true, readOnly: false, writeOnly: false };
      found.set(name, { ...property, required: true });
    }
  }
}

/**
 * The properties that a self-contained schema declares for an object, through `$ref`, what stands beside it,
 * and `allOf`; what only some branch of `oneOf`, `anyOf` or `if` declares is left out.
 */
export function schemaProperties(schema: JsonSchema | undefined): ReadonlyMap<string, SchemaProperty> {
  if (!isJsonObject(schema)) return noProperties;
  const known = collectedProperties.get(schema);
  if (known !== undefined) return known;
  const found = new Map<string, SchemaProperty>();
  collectProperties(schema, schema, found, new Set());
  collectedProperties.set(schema, found);
  return found;
}

/** Keywords that hold a schema, or a list of them, for the value itself (JSON Schema 2020-12 core §10.2). */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'];

/**
 * The names of the properties that a schema declares for an object, in whatever branch of it.
 *
 * @returns undefined where it declares none, or a whole class of them (`patternProperties`, or a schema for
 * `additionalProperties`): then no name is undeclared
 */
export function declaredNames(schema: JsonSchema): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const seen = new Set<JsonObject>();
  let isOpen = false;
  function collect(part: JsonValue | undefined): void {
    if (!isJsonObject(part) || seen.has(part)) return;
    seen.add(part);
    if (typeof part['$ref'] === 'string') {
      collect(resolveLocal(schema, part['$ref']));
    }
    for (const name of Object.keys(isJsonObject(part['properties']) ? part['properties'] : {})) {
      names.add(name);
    }
    const further = part['additionalProperties'];
    isOpen ||= isJsonObject(part['patternProperties']) || further === true || isJsonObject(further);
    for (const value of inPlace.map((keyword) => part[keyword])) {
      for (const branch of Array.isArray(value) ? value : [value]) {
        collect(branch);
      }
    }
    for (const dependent of Object.values(
      isJsonObject(part['dependentSchemas']) ? part['dependentSchemas'] : {},
    )) {
      collect(dependent);
    }
  }
  collect(schema);
  return isOpen || names.size === 0 ? undefined : names;
}

/** The schemas within a self-contained one that have a format with a range of integers. */
export function findRangedSchemas(schema: JsonSchema): readonly JsonObject[] {
  const found: JsonObject[] = [];
  function visit(value: JsonValue | undefined): void {
    if (Array.isArray(value)) {
      value.forEach(visit);
    } else if (isJsonObject(value)) {
      if (typeof value['format'] === 'string' && integerFormats.has(value['format'])) {
        found.push(value);
      }
      Object.values(value).forEach(visit);
    }
  }
  visit(schema);
  return found;
}
