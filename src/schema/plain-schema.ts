import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { readPattern } from './pattern.ts';
import { type JsonSchema, resolveLocal } from './walk.ts';

/** Tests whether the value of a keyword has a form that an interpreter can apply directly. */
type IsPlain = (asked: JsonValue, isPlainSchema: (part: JsonValue | undefined) => boolean) => boolean;

const isNumber: IsPlain = (asked) => typeof asked === 'number';
const isSchema: IsPlain = (asked, isPlainSchema) => isPlainSchema(asked);
const isSchemaList: IsPlain = (asked, isPlainSchema) =>
  Array.isArray(asked) && asked.length > 0 && asked.every(isPlainSchema);
const isSchemaMap: IsPlain = (asked, isPlainSchema) =>
  isJsonObject(asked) && Object.values(asked).every(isPlainSchema);
const typeNames = new Set<JsonValue>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

function isPlainPattern(pattern: JsonValue): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    readPattern(pattern);
    return true;
  } catch {
    return false;
  }
}

const plainKeywords: ReadonlyMap<string, IsPlain> = new Map(
  Object.entries<IsPlain>({
    $defs: isSchemaMap,
    $ref: (asked) => typeof asked === 'string' && /^#\/\$defs\/[^/~%]+$/u.test(asked),
    additionalProperties: isSchema,
    allOf: isSchemaList,
    anyOf: isSchemaList,
    enum: (asked) => Array.isArray(asked) && asked.length > 0 && asked.every(isPlainValue),
    const: isPlainValue,
    exclusiveMaximum: isNumber,
    exclusiveMinimum: isNumber,
    format: (asked) => typeof asked === 'string',
    items: isSchema,
    maximum: isNumber,
    maxItems: isNumber,
    maxLength: isNumber,
    maxProperties: isNumber,
    minimum: isNumber,
    minItems: isNumber,
    minLength: isNumber,
    minProperties: isNumber,
    multipleOf: (asked) => typeof asked === 'number' && asked > 0,
    not: isSchema,
    oneOf: isSchemaList,
    pattern: isPlainPattern,
    patternProperties: (asked, isPlainSchema) =>
      isSchemaMap(asked, isPlainSchema) && Object.keys(asked ?? {}).every(isPlainPattern),
    prefixItems: isSchemaList,
    properties: isSchemaMap,
    propertyNames: isSchema,
    required: (asked) => Array.isArray(asked) && asked.every((name) => typeof name === 'string'),
    type: (asked) =>
      Array.isArray(asked)
        ? asked.length > 0 && asked.every((name) => typeNames.has(name))
        : typeNames.has(asked),
    uniqueItems: (asked) => typeof asked === 'boolean',
  }),
);
/** Other validating keywords, which are too rare or too complex for the interpreter. */
const otherKeywords = (
  '$dynamicRef contains dependentRequired dependentSchemas else if maxContains minContains then unevaluatedItems ' +
  'unevaluatedProperties'
).split(' ');

/** Returns whether a compiled validator can compare a value directly: it contains no exact number. */
function isPlainValue(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every(isPlainValue);
  if (isJsonObject(value)) return Object.values(value).every(isPlainValue);
  return value === null || typeof value !== 'object';
}

/**
 * Creates a test for plain schemas. In a plain schema, at any depth, no keyword is malformed, depends on other
 * evaluations or contains an exact number. An interpreter can read it piece by piece.
 *
 * @param known - plain schemas of this root, or of others that share definitions
 */
export function createPlainSchemaTest(
  root: JsonSchema,
  known: WeakSet<JsonObject>,
): (part: JsonValue | undefined) => boolean {
  return function isPlainSchema(schema) {
    if (typeof schema === 'boolean') return true;
    if (!isJsonObject(schema)) return false;
    if (known.has(schema)) return true;
    const { $ref: reference } = schema;
    if (otherKeywords.some((keyword) => Object.hasOwn(schema, keyword))) return false;
    if (typeof reference === 'string' && resolveLocal(root, reference) === undefined) return false;
    for (const [keyword, asked] of Object.entries(schema)) {
      if (plainKeywords.get(keyword)?.(asked, isPlainSchema) === false) return false;
    }
    known.add(schema);
    return true;
  };
}
