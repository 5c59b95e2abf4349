import { ExactNumber, numberKey } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** A self-contained JSON Schema (2020-12): every `$ref` in it is local, `#/$defs/…`. */
export type JsonSchema = boolean | JsonObject;

const single = new Set(
  (
    'additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems ' +
    'unevaluatedProperties'
  ).split(' '),
);
const listed = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const named = new Set(['$defs', 'dependentSchemas', 'patternProperties', 'properties']);

/** Returns the target of a local reference, `#/$defs/Name` or `#` for the root; undefined if there is none. */
export function resolveLocal(root: JsonSchema, reference: string): JsonSchema | undefined {
  const target = resolvePointer(root, reference.slice(1));
  return typeof target === 'boolean' || isJsonObject(target) ? target : undefined;
}

/** Returns the target of the `$ref` of a schema, if it has one. */
export function referencedSchema(root: JsonSchema, { $ref: reference }: JsonObject): JsonSchema | undefined {
  return typeof reference === 'string' && reference.startsWith('#')
    ? resolveLocal(root, reference)
    : undefined;
}

/**
 * Keywords whose schemas apply to the same value as their parent schema (JSON Schema 2020-12 core §10.2), except `not`,
 * which excludes values.
 */
export const inPlaceKeywords: readonly string[] = 'allOf anyOf oneOf if then else dependentSchemas'.split(
  ' ',
);

/** Returns the subschemas under some keywords, whose values are a schema, a list of schemas, or one per name. */
export function subschemasAt(schema: JsonObject, keywords: readonly string[]): readonly JsonValue[] {
  return keywords.flatMap((keyword) => {
    const value = schema[keyword];
    if (value === undefined) return [];
    return named.has(keyword) && isJsonObject(value) ? Object.values(value) : value;
  });
}

/**
 * Returns the schemas that apply to the same value as a schema, itself last: the target of its `$ref`, and the parts of
 * its `allOf`, `anyOf` and `oneOf`, or of other keywords, recursively, each once (JSON Schema 2020-12 core §10.2.1).
 * Local references start from the root.
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
 * Returns the schemas that a valid value of a schema must all match: itself, and the targets of `$ref` and `allOf`;
 * undefined if no value is valid. Callers must not process these two keywords again.
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

/** Collects the schema and every alternative in it for the same value. */
function withAlternatives(root: JsonSchema, schema: JsonValue, found: Set<JsonObject>): void {
  for (const part of schemaConjuncts(root, schema) ?? []) {
    if (found.has(part)) continue;
    found.add(part);
    for (const alternative of subschemasAt(part, ['oneOf', 'anyOf', 'then', 'else'])) {
      withAlternatives(root, alternative, found);
    }
  }
}

/** Returns the schemas of a property, or of an item by its index, that a schema declares itself. */
export function membersOf(schema: JsonObject, token: string): readonly JsonValue[] {
  const { properties, items, prefixItems, additionalProperties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, token)) return [properties[token] ?? true];
  const isIndex = /^\d+$/u.test(token);
  const prefix = isIndex && Array.isArray(prefixItems) ? prefixItems[Number(token)] : undefined;
  return [prefix ?? (isIndex ? items : undefined), additionalProperties].filter(
    (member) => member !== undefined,
  );
}

/**
 * Returns the schemas that may apply to a place in a value: required ones and those of every alternative. Used to find
 * bounds to try; a validator decides their effect.
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

/** Returns the type of a JSON value (RFC 8259 §3). Exact numbers and integers are numbers. */
export function jsonTypeOf(value: JsonValue): 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return value instanceof ExactNumber ? 'number' : 'object';
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' ? 'number' : 'boolean';
}

/** Returns the types that a schema names, or else those of its `enum` or `const`. */
function ownTypes({ type, enum: values, const: value }: JsonObject): readonly JsonValue[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  const listed = value === undefined ? values : [value];
  return Array.isArray(listed) ? listed.map(jsonTypeOf) : [];
}

/**
 * Returns the JSON types that a self-contained schema allows, including `$ref`, `allOf`, `anyOf` and `oneOf`. If it
 * names none, they come from `enum` or `const`. Pass the root if the schema is a part of another.
 */
export function schemaTypes(schema: JsonSchema, root: JsonSchema = schema): ReadonlySet<string> {
  const types = schemasInPlace(root, schema).flatMap(ownTypes);
  return new Set(types.filter((type) => typeof type === 'string'));
}

/**
 * Copies a schema and replaces each direct subschema. Values of `enum` or `default`, and a property named `items`, are
 * not schemas. `map` gets the place of each subschema, below that of the schema.
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
 * Returns a text that is the same for all JSON values that are equal in JSON Schema (2020-12 core §4.2.2), and
 * different for other values. With it, finding equal items takes linear time.
 */
export function valueKey(value: JsonValue): string {
  if (typeof value === 'number' || value instanceof ExactNumber) return numberKey(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => valueKey(item)).join(',')}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${valueKey(member)}`);
  return `{${members.toSorted().join(',')}}`;
}

/**
 * Returns whether every value of a schema must match a part that passes a test. Of an `allOf`, one part is enough; of a
 * `oneOf` or `anyOf`, each must pass. Local references start from the root.
 */
export function alwaysMeets(
  root: JsonSchema,
  schema: JsonValue | undefined,
  test: (part: JsonObject) => boolean,
): boolean {
  const entered = new Set<JsonObject>();

  function meets(part: JsonValue | undefined): boolean {
    if (!isJsonObject(part) || entered.has(part)) return part === false;
    entered.add(part);
    return (
      test(part) ||
      [referencedSchema(root, part), ...subschemasAt(part, ['allOf'])].some(meets) ||
      ['oneOf', 'anyOf'].some((keyword) => {
        const branches = subschemasAt(part, [keyword]);
        return branches.length > 0 && branches.every(meets);
      })
    );
  }

  return meets(schema);
}

/** Returns whether a self-contained schema accepts no undeclared properties in any of its branches. */
export function isClosed(schema: JsonSchema): boolean {
  return alwaysMeets(schema, schema, (part) =>
    [part['additionalProperties'], part['unevaluatedProperties']].includes(false),
  );
}

/** Returns whether a schema allows properties that it does not name. */
export function allowsFurther({ additionalProperties: further, patternProperties }: JsonObject): boolean {
  return further === true || isJsonObject(further) || isJsonObject(patternProperties);
}

/** Returns whether a self-contained schema explicitly allows properties that it does not name. */
export function isOpenByWord(schema: JsonSchema): boolean {
  return schemasInPlace(schema, schema).some(allowsFurther);
}
