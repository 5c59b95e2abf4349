import { isMultipleOf } from '../json/exact-number.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../json/value.ts';
import { integerFormats, isIntegerInRange } from './exact-keywords.ts';
import { formats } from './formats.ts';
import { readPattern } from './pattern.ts';
import { jsonTypeOf, type JsonSchema, resolveLocal, valueKey } from './walk.ts';

/** So many steps take less time than compiling most schemas does. */
const mostSteps = 20_000;

/** Holds a value without exact numbers against a schema; undefined when there was enough to do. */
type JudgeOnce = (value: JsonValue) => boolean | undefined;

/** What a keyword asks must be of this form, so that holding a value against it is plain. */
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
/** What judges values as well, too seldom or too intricate to do here. */
const otherKeywords = (
  '$dynamicRef contains dependentRequired dependentSchemas else if maxContains minContains then unevaluatedItems ' +
  'unevaluatedProperties'
).split(' ');

/** A value that a compiled validator compares as it is: no number in it keeps its digits. */
function isPlainValue(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every(isPlainValue);
  if (isJsonObject(value)) return Object.values(value).every(isPlainValue);
  return value === null || typeof value !== 'object';
}

/** Whether all keywords of a schema, and of those inside, are of a form that this file judges by. */
function createPlainSchemaTest(
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

function fitsFormat(name: string, text: string): boolean {
  const format = formats.get(name);
  if (format === undefined || typeof format === 'boolean' || typeof format === 'string') return true;
  if (format instanceof RegExp) return format.test(text);
  if (typeof format === 'function') return format(text);
  const { type, validate } = format;
  if (type === 'number' || validate === undefined) return true;
  // `as`: no format here is one that is judged later (`async`), and those of numbers are left out.
  return validate instanceof RegExp ? validate.test(text) : (validate as (of: string) => boolean)(text);
}

function fitsType(value: JsonValue, name: JsonValue): boolean {
  return name === 'integer' ? Number.isInteger(value) : jsonTypeOf(value) === name;
}

/** In Unicode characters (JSON Schema 2020-12 validation §6.3.1). */
function fitsLength(text: string, { minLength, maxLength }: JsonObject): boolean {
  if (typeof minLength !== 'number' && typeof maxLength !== 'number') return true;
  const { length } = [...text];
  return (
    !(typeof minLength === 'number' && length < minLength) &&
    !(typeof maxLength === 'number' && length > maxLength)
  );
}

function lacksRequired({ required }: JsonObject, value: JsonObject): boolean {
  return (
    Array.isArray(required) &&
    required.some((name) => typeof name === 'string' && !Object.hasOwn(value, name))
  );
}

/**
 * Judges values by a schema as it stands, for those that are few: compiling one takes longer than judging a hundred values
 * (JSON Schema 2020-12). Undefined for a schema that needs the compiler, and for one that it may refuse.
 *
 * What it does not accept is for the compiled validator, which says why. After so many steps it judges nothing any more:
 * the next values are worth compiling.
 *
 * @param reading - integers are read by their value
 * @param known - schemas of this root, or of others that share definitions, which were found to be plain
 */
export function createJudgeOnce(
  root: JsonSchema,
  reading: { readonly formats: 'assert' | 'strings' | 'ignore' },
  known: WeakSet<JsonObject>,
): JudgeOnce | undefined {
  if (!createPlainSchemaTest(root, known)(root)) return undefined;
  const definitions = isJsonObject(root) && isJsonObject(root['$defs']) ? root['$defs'] : {};
  let left = mostSteps;

  /** What was judged already: definitions may have each other again and again for the same value. */
  const judged = new Map<string, Map<JsonValue, boolean>>();

  function fitsTarget(reference: string, value: JsonValue): boolean {
    const of = judged.get(reference) ?? new Map<JsonValue, boolean>();
    judged.set(reference, of);
    const earlier = of.get(value);
    if (earlier !== undefined) return earlier;
    const isFit = fits(definitions[reference.slice('#/$defs/'.length)], value);
    of.set(value, isFit);
    return isFit;
  }

  const all = (parts: JsonValue | undefined, value: JsonValue): boolean =>
    !Array.isArray(parts) || parts.every((part) => fits(part, value));

  /** What a pattern cannot judge is left to the compiler, which tells what is known from what is not. */
  function matches(pattern: string, text: string): boolean {
    const { longest = Infinity, test } = readPattern(pattern);
    if (text.length > longest) left = -1;
    return left < 0 || test(text);
  }

  function fitsNumber(schema: JsonObject, value: number): boolean {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
    const range =
      reading.formats === 'assert' && typeof format === 'string' ? integerFormats.get(format) : undefined;
    return (
      !(typeof minimum === 'number' && value < minimum) &&
      !(typeof maximum === 'number' && value > maximum) &&
      !(typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) &&
      !(typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) &&
      !(typeof multipleOf === 'number' && !isMultipleOf(value, multipleOf)) &&
      (range === undefined || isIntegerInRange(value, range))
    );
  }

  function fitsText(schema: JsonObject, value: string): boolean {
    const { pattern, format } = schema;
    return (
      fitsLength(value, schema) &&
      !(typeof pattern === 'string' && !matches(pattern, value)) &&
      (reading.formats === 'ignore' || typeof format !== 'string' || fitsFormat(format, value))
    );
  }

  function fitsList(schema: JsonObject, value: readonly JsonValue[]): boolean {
    const { minItems, maxItems, uniqueItems, items, prefixItems } = schema;
    const first = Array.isArray(prefixItems) ? prefixItems : [];
    if (typeof minItems === 'number' && value.length < minItems) return false;
    if (typeof maxItems === 'number' && value.length > maxItems) return false;
    left -= uniqueItems === true ? value.length : 0;
    if (uniqueItems === true && new Set(value.map(valueKey)).size < value.length) return false;
    return value.every((item, index) => fits(index < first.length ? first[index] : items, item));
  }

  function fitsObject(schema: JsonObject, value: JsonObject): boolean {
    const { minProperties, maxProperties, properties, patternProperties, propertyNames } = schema;
    const names = Object.keys(value);
    if (typeof minProperties === 'number' && names.length < minProperties) return false;
    if (typeof maxProperties === 'number' && names.length > maxProperties) return false;
    if (lacksRequired(schema, value)) return false;
    const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
    return names.every((name) => {
      const member = value[name] ?? null;
      const isNamed = isJsonObject(properties) && Object.hasOwn(properties, name);
      const matching = patterns.filter(([pattern]) => matches(pattern, name));
      const isFurther = !isNamed && matching.length === 0;
      return (
        fits(propertyNames, name) &&
        (!isNamed || fits(properties[name], member)) &&
        matching.every(([, part]) => fits(part, member)) &&
        (!isFurther || fits(schema['additionalProperties'], member))
      );
    });
  }

  function fitsInPlace(schema: JsonObject, value: JsonValue): boolean {
    const { $ref: reference, allOf, anyOf, oneOf, not, const: only, enum: values, type } = schema;
    if (type !== undefined && ![type].flat().some((name) => fitsType(value, name))) return false;
    if (only !== undefined && !jsonEqual(only, value)) return false;
    if (Array.isArray(values)) {
      left -= values.length >> 4;
      if (!values.some((allowed) => jsonEqual(allowed, value))) return false;
    }
    if (typeof reference === 'string' && !fitsTarget(reference, value)) return false;
    return (
      all(allOf, value) &&
      (!Array.isArray(anyOf) || anyOf.some((branch) => fits(branch, value))) &&
      (!Array.isArray(oneOf) || oneOf.filter((branch) => fits(branch, value)).length === 1) &&
      (not === undefined || !fits(not, value))
    );
  }

  function fits(schema: JsonValue | undefined, value: JsonValue): boolean {
    left -= 1;
    if (left < 0 || !isJsonObject(schema)) return schema !== false;
    if (!fitsInPlace(schema, value)) return false;
    if (typeof value === 'number') return fitsNumber(schema, value);
    if (typeof value === 'string') return fitsText(schema, value);
    if (Array.isArray(value)) return fitsList(schema, value);
    return !isJsonObject(value) || fitsObject(schema, value);
  }

  return (value) => {
    judged.clear();
    const isFit = fits(root, value);
    return left < 0 ? undefined : isFit;
  };
}
