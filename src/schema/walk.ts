import { ExactNumber, numberKey } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** A JSON Schema (2020-12) that stands alone: every `$ref` in it is local, `#/$defs/…`. */
export type JsonSchema = boolean | JsonObject;

const single = new Set(
  (
    'additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems ' +
    'unevaluatedProperties'
  ).split(' '),
);
const listed = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const named = new Set(['$defs', 'dependentSchemas', 'patternProperties', 'properties']);

/** The schema that a local reference, `#/$defs/Name` or `#` for the whole, leads to; undefined where it leads to none. */
export function resolveLocal(root: JsonSchema, reference: string): JsonSchema | undefined {
  const target = resolvePointer(root, reference.slice(1));
  return typeof target === 'boolean' || isJsonObject(target) ? target : undefined;
}

/** What the `$ref` of a schema leads to, if it has one. */
export function referencedSchema(root: JsonSchema, { $ref: reference }: JsonObject): JsonSchema | undefined {
  return typeof reference === 'string' && reference.startsWith('#')
    ? resolveLocal(root, reference)
    : undefined;
}

/**
 * The keywords whose schemas judge the value that the schema around them judges (JSON Schema 2020-12 core §10.2), `not`
 * aside, which tells what the value is not.
 */
export const inPlaceKeywords: readonly string[] = 'allOf anyOf oneOf if then else dependentSchemas'.split(
  ' ',
);

/** What stands under some keywords of a schema, each of which holds a schema, a list of them, or one for each name. */
export function subschemasAt(schema: JsonObject, keywords: readonly string[]): readonly JsonValue[] {
  return keywords.flatMap((keyword) => {
    const value = schema[keyword];
    if (value === undefined) return [];
    return named.has(keyword) && isJsonObject(value) ? Object.values(value) : value;
  });
}

/**
 * The schemas that judge the same value as a schema does, itself the last: what its `$ref` leads to, and the
 * parts of its `allOf`, `anyOf` and `oneOf`, or of other keywords, recursively, each once (JSON Schema 2020-12 core
 * §10.2.1). Local references start from the root.
 */
export function schemasInPlace(
  root: JsonSchema,
  schema: JsonSchema,
  keywords: readonly string[] = ['allOf', 'anyOf', 'oneOf'],
): readonly JsonObject[] {
  const entered = new Set<JsonObject>();
  const found: JsonObject[] = [];

  function visit(part: JsonValue | undefined): void {
    if (!isJsonObject(part) || entered.has(part)) return;
    entered.add(part);
    visit(referencedSchema(root, part));
    subschemasAt(part, keywords).forEach(visit);
    found.push(part);
  }

  visit(schema);
  return found;
}

/**
 * The schemas that must all hold where one schema inside a root must: itself and what it names by `$ref` and `allOf`;
 * undefined where nothing can be valid. Whoever reads them reads neither keyword again.
 */
export function schemaConjuncts(root: JsonSchema, schema: JsonValue): readonly JsonObject[] | undefined {
  const found = new Set<JsonObject>();

  function collect(part: JsonValue | undefined): boolean {
    if (!isJsonObject(part)) return part !== false;
    if (found.has(part)) return true;
    found.add(part);
    return [referencedSchema(root, part), ...subschemasAt(part, ['allOf'])].every(collect);
  }

  return collect(schema) ? [...found] : undefined;
}

/** The schema and every alternative in it that may speak for the same value. */
function withAlternatives(root: JsonSchema, schema: JsonValue, found: Set<JsonObject>): void {
  for (const part of schemaConjuncts(root, schema) ?? []) {
    if (found.has(part)) continue;
    found.add(part);
    for (const alternative of subschemasAt(part, ['oneOf', 'anyOf', 'then', 'else'])) {
      withAlternatives(root, alternative, found);
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

/** The type of a JSON value (RFC 8259 §3). An exact number, or an integer, is a number. */
export function jsonTypeOf(value: JsonValue): 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return value instanceof ExactNumber ? 'number' : 'object';
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' ? 'number' : 'boolean';
}

/** The types that a schema names, or those of the values that it lists where it names none. */
function ownTypes({ type, enum: values, const: value }: JsonObject): readonly JsonValue[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  const listed = value === undefined ? values : [value];
  return Array.isArray(listed) ? listed.map(jsonTypeOf) : [];
}

/**
 * The JSON types that a self-contained schema speaks of, through `$ref`, `allOf`, `anyOf` and `oneOf`, and
 * where it names none those of its `enum` or `const`. The root is given where the schema is a part of another.
 */
export function schemaTypes(schema: JsonSchema, root: JsonSchema = schema): ReadonlySet<string> {
  const types = schemasInPlace(root, schema).flatMap(ownTypes);
  return new Set(types.filter((type) => typeof type === 'string'));
}

/**
 * Copies a schema with each schema directly under it replaced. Only real schemas are touched: what stands
 * in `enum` or `default`, and a property that happens to be called `items`, is not. It gives each its place, below
 * that of the schema.
 */
export function mapSubschemas(
  schema: JsonObject,
  map: (schema: JsonSchema, pointer: JsonPointer) => JsonSchema,
  pointer: JsonPointer = '',
): JsonObject {
  function mapOne(value: JsonValue, place: JsonPointer): JsonValue {
    return typeof value === 'boolean' || isJsonObject(value) ? map(value, place) : value;
  }
  function mapNamed(members: JsonObject, around: JsonPointer): JsonObject {
    return Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, mapOne(member, appendPointer(around, name))]),
    );
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      const place = appendPointer(pointer, keyword);
      if (single.has(keyword)) return [keyword, mapOne(value, place)];
      if (listed.has(keyword) && Array.isArray(value)) {
        return [keyword, value.map((item, index) => mapOne(item, appendPointer(place, index)))];
      }
      if (named.has(keyword) && isJsonObject(value)) return [keyword, mapNamed(value, place)];
      return [keyword, value];
    }),
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
    return (
      part['additionalProperties'] === false ||
      part['unevaluatedProperties'] === false ||
      [referencedSchema(schema, part), ...subschemasAt(part, ['allOf'])].some(closes) ||
      ['oneOf', 'anyOf'].some((keyword) => {
        const branches = subschemasAt(part, [keyword]);
        return branches.length > 0 && branches.every(closes);
      })
    );
  }

  return closes(schema);
}

/** Whether a schema says that an object may have properties which it does not name. */
export function allowsFurther({ additionalProperties: further, patternProperties }: JsonObject): boolean {
  return further === true || isJsonObject(further) || isJsonObject(patternProperties);
}

/** Whether a self-contained schema itself says that it takes properties which it does not name. */
export function isOpenByWord(schema: JsonSchema): boolean {
  return schemasInPlace(schema, schema).some(allowsFurther);
}
