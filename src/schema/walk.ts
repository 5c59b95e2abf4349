import { ExactNumber, numberKey } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer, pointerTokens } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/**
 * A JSON Schema (2020-12) that stands alone: every `$ref` in it is local, `#/$defs/…`.
 */
export type JsonSchema = boolean | JsonObject;

/**
 * The schema that a local reference leads to.
 *
 * @param reference - `#/$defs/Name`, or `#` for the whole
 * @returns undefined where it leads to no schema
 */
export function resolveLocal(root: JsonSchema, reference: string): JsonSchema | undefined {
  let target: JsonValue | undefined = root;
  for (const token of pointerTokens(decodeURIComponent(reference.slice(1)))) {
    if (Array.isArray(target)) {
      target = target[Number(token)];
    } else {
      target = isJsonObject(target) && Object.hasOwn(target, token) ? target[token] : undefined;
    }
  }
  return typeof target === 'boolean' || isJsonObject(target) ? target : undefined;
}

function collect(root: JsonSchema, schema: JsonValue, found: Set<JsonObject>): boolean {
  if (!isJsonObject(schema)) return schema !== false;
  if (found.has(schema)) return true;
  found.add(schema);
  const reference = schema['$ref'];
  const target = typeof reference === 'string' ? resolveLocal(root, reference) : true;
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
  return [target ?? true, ...parts].every((part) => collect(root, part, found));
}

/**
 * The schemas that must all hold where one schema must: itself and what it names by `$ref` and `allOf`.
 * Whoever reads them reads neither keyword again.
 *
 * @param root - the self-contained schema that holds the definitions
 * @param schema - a schema inside it
 * @returns undefined where nothing can be valid
 */
export function schemaConjuncts(root: JsonSchema, schema: JsonValue): readonly JsonObject[] | undefined {
  const found = new Set<JsonObject>();
  return collect(root, schema, found) ? [...found] : undefined;
}

/** The schema and every alternative in it that may speak for the same value. */
function withAlternatives(root: JsonSchema, schema: JsonValue, found: Set<JsonObject>): void {
  for (const part of schemaConjuncts(root, schema) ?? []) {
    if (found.has(part)) continue;
    found.add(part);
    for (const keyword of ['oneOf', 'anyOf']) {
      for (const alternative of Array.isArray(part[keyword]) ? part[keyword] : []) {
        withAlternatives(root, alternative, found);
      }
    }
    for (const keyword of ['then', 'else']) {
      withAlternatives(root, part[keyword] ?? true, found);
    }
  }
}

function membersOf(schema: JsonObject, token: string): readonly JsonValue[] {
  const { properties, items, prefixItems, additionalProperties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, token)) return [properties[token] ?? true];
  const isIndex = /^\d+$/u.test(token);
  const prefix = isIndex && Array.isArray(prefixItems) ? prefixItems[Number(token)] : undefined;
  return [prefix ?? (isIndex ? items : undefined), additionalProperties].filter(
    (member) => member !== undefined,
  );
}

/**
 * The schemas that may speak for a place in a value: all of those that must hold there, and those of every
 * alternative. It is for finding bounds to try; a validator says what they come to.
 *
 * @param root - a schema that stands alone
 */
export function schemasAt(root: JsonSchema, pointer: JsonPointer): readonly JsonObject[] {
  let found = new Set<JsonObject>();
  withAlternatives(root, root, found);
  for (const token of pointerTokens(pointer)) {
    const inside = new Set<JsonObject>();
    for (const schema of found) {
      for (const member of membersOf(schema, token)) {
        withAlternatives(root, member, inside);
      }
    }
    found = inside;
  }
  return [...found];
}

/** The types of JSON values (RFC 8259 §3); an integer is a number. */
type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** The type of a JSON value. An exact number is a number. */
export function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return value instanceof ExactNumber ? 'number' : 'object';
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' ? 'number' : 'boolean';
}

/**
 * The schemas that judge the same value as a schema does, itself the last: what its `$ref` leads to, and the
 * parts of its `allOf`, `anyOf` and `oneOf`, recursively, each once (JSON Schema 2020-12 core §10.2.1).
 *
 * @param root - what local references start from
 */
export function schemasInPlace(root: JsonSchema, schema: JsonSchema): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const entered = new Set<JsonObject>();

  function visit(part: JsonValue | undefined): void {
    if (!isJsonObject(part) || entered.has(part)) return;
    entered.add(part);
    const { $ref: reference, allOf, anyOf, oneOf } = part;
    if (typeof reference === 'string' && reference.startsWith('#')) {
      visit(resolveLocal(root, reference));
    }
    for (const parts of [allOf, anyOf, oneOf]) {
      if (Array.isArray(parts)) {
        parts.forEach(visit);
      }
    }
    found.add(part);
  }

  visit(schema);
  return [...found];
}

/** The types that a schema names, or those of the values that it lists where it names none. */
function ownTypes({ type, enum: values, const: value }: JsonObject): readonly JsonValue[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  const listed = value === undefined ? values : [value];
  return Array.isArray(listed) ? listed.map(jsonTypeOf) : [];
}

/**
 * The JSON types that a self-contained schema speaks of, through `$ref`, `allOf`, `anyOf` and `oneOf`, and
 * where it names none those of its `enum` or `const`.
 *
 * @param root - what local references start from, where the schema is a part of another
 */
export function schemaTypes(schema: JsonSchema, root: JsonSchema = schema): ReadonlySet<string> {
  const types = schemasInPlace(root, schema).flatMap(ownTypes);
  return new Set(types.filter((type) => typeof type === 'string'));
}

const single = new Set([
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const listed = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const named = new Set(['$defs', 'dependentSchemas', 'patternProperties', 'properties']);

/** Makes another schema of a schema; the pointer is its place, relative to the one that the walk began at. */
type SchemaMapping = (schema: JsonSchema, pointer: JsonPointer) => JsonSchema;

/**
 * Copies a schema with each schema directly under it replaced. Only real schemas are touched: what stands
 * in `enum` or `default`, and a property that happens to be called `items`, is not.
 *
 * @param input.pointer - the place of the schema itself
 */
export function mapSubschemas(input: {
  readonly schema: JsonObject;
  readonly pointer: JsonPointer;
  readonly map: SchemaMapping;
}): JsonObject {
  const { schema, pointer, map } = input;
  function mapOne(value: JsonValue, place: JsonPointer): JsonValue {
    return typeof value === 'boolean' || isJsonObject(value) ? map(value, place) : value;
  }
  function mapKeyword(keyword: string, value: JsonValue): JsonValue {
    const place = appendPointer(pointer, keyword);
    if (single.has(keyword)) return mapOne(value, place);
    if (listed.has(keyword) && Array.isArray(value)) {
      return value.map((item, index) => mapOne(item, appendPointer(place, index)));
    }
    if (named.has(keyword) && isJsonObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, mapOne(member, appendPointer(place, name))]),
      );
    }
    return value;
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value)]),
  );
}

/**
 * One text for all JSON values that are equal as JSON Schema means it (2020-12 core §4.2.2), and another for
 * any other value. It makes looking for equal items linear.
 */
export function valueKey(value: JsonValue): string {
  if (typeof value === 'number' || value instanceof ExactNumber) return numberKey(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => valueKey(item)).join(',')}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${valueKey(member)}`);
  return `{${members.toSorted().join(',')}}`;
}

/** Whether a self-contained schema takes no property that it does not name, whichever branch of it is met. */
export function isClosed(schema: JsonSchema): boolean {
  const entered = new Set<JsonObject>();

  function closes(part: JsonValue | undefined): boolean {
    if (!isJsonObject(part) || entered.has(part)) return false;
    entered.add(part);
    const { $ref: reference, additionalProperties, unevaluatedProperties, allOf } = part;
    const branches = [part['oneOf'], part['anyOf']].filter((list) => Array.isArray(list));
    return (
      additionalProperties === false ||
      unevaluatedProperties === false ||
      (typeof reference === 'string' &&
        reference.startsWith('#') &&
        closes(resolveLocal(schema, reference))) ||
      (Array.isArray(allOf) && allOf.some(closes)) ||
      branches.some((list) => list.length > 0 && list.every(closes))
    );
  }

  return closes(schema);
}

/** Whether a self-contained schema itself says that it takes properties which it does not name. */
export function isOpenByWord(schema: JsonSchema): boolean {
  return schemasInPlace(schema, schema).some(
    ({ additionalProperties, patternProperties }) =>
      additionalProperties === true || isJsonObject(additionalProperties) || isJsonObject(patternProperties),
  );
}
