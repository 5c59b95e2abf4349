import type { DeclaredHeader } from '../../contract/contract.ts';
import { compareNumbers, ExactNumber, isInteger, isMultipleOf } from '../../json/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type JsonSchema, resolveLocal } from '../../schema/walk.ts';

const named = ['properties', 'patternProperties'];

const both = (left: JsonValue, right: JsonValue): JsonValue => ({ allOf: [left, right] });

function mergeNamed(left: JsonObject, right: JsonObject): JsonObject {
  const shared = Object.keys(right).filter((name) => Object.hasOwn(left, name));
  return {
    ...left,
    ...right,
    ...Object.fromEntries(shared.map((name) => [name, both(left[name] ?? true, right[name] ?? true)])),
  };
}

function mergeKeyword(keyword: string, left: JsonValue, right: JsonValue): JsonValue {
  if (named.includes(keyword) && isJsonObject(left) && isJsonObject(right)) return mergeNamed(left, right);
  if (keyword === 'required' && Array.isArray(left) && Array.isArray(right)) {
    return [...new Set([...left, ...right])];
  }
  return keyword === 'items' ? both(left, right) : right;
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged: JsonObject = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const former = merged[keyword];
    merged[keyword] = former === undefined ? value : mergeKeyword(keyword, former, value);
  }
  return merged;
}

/** The branch that a value is made for: the first that is not null alone. */
function firstBranch(branches: JsonValue | undefined): readonly JsonValue[] {
  const list = Array.isArray(branches) ? branches : [];
  const isNull = (schema: JsonValue): boolean =>
    isJsonObject(schema) && (schema['type'] === 'null' || schema['const'] === null);
  return [...list.filter((branch) => !isNull(branch)), ...list].slice(0, 1);
}

/**
 * A schema with everything that it asks of a value at its top: `$ref`, `allOf` and the first branch of
 * `oneOf` and `anyOf` folded into one object. What lies deeper is left as it is.
 *
 * It serves to make values. Whether a value fits is for the compiled schema to say.
 */
export function mergeSchema(root: JsonObject, schema: JsonSchema): JsonObject {
  function fold(part: JsonValue, seen: readonly JsonObject[]): JsonObject {
    if (!isJsonObject(part) || seen.includes(part)) return {};
    const { $ref: reference, allOf, oneOf, anyOf, ...own } = part;
    const target = typeof reference === 'string' ? resolveLocal(root, reference) : undefined;
    const parts = [
      ...(target === undefined ? [] : [target]),
      ...(Array.isArray(allOf) ? allOf : []),
      ...firstBranch(oneOf),
      ...firstBranch(anyOf),
    ];
    return merge(
      parts.reduce<JsonObject>((merged, each) => merge(merged, fold(each, [...seen, part])), {}),
      own,
    );
  }
  return fold(schema, []);
}

type JsonNumber = number | ExactNumber;

function isNumber(value: JsonValue | undefined): value is JsonNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

function fits(value: JsonNumber, schema: JsonObject): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    (!isNumber(minimum) || compareNumbers(value, minimum) >= 0) &&
    (!isNumber(maximum) || compareNumbers(value, maximum) <= 0) &&
    (!isNumber(exclusiveMinimum) || compareNumbers(value, exclusiveMinimum) > 0) &&
    (!isNumber(exclusiveMaximum) || compareNumbers(value, exclusiveMaximum) < 0) &&
    (!isNumber(multipleOf) || isMultipleOf(value, multipleOf)) &&
    (schema['type'] === 'number' || isInteger(value))
  );
}

function nearBounds(schema: JsonObject): readonly number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const lower = [minimum, exclusiveMinimum].filter(isNumber).map(Number);
  const upper = [maximum, exclusiveMaximum].filter(isNumber).map(Number);
  const step = isNumber(multipleOf) ? Number(multipleOf) : 1;
  const low = lower[0] ?? upper[0] ?? 0;
  const high = upper[0] ?? low + 1;
  return [
    ...lower.flatMap((bound) => [Math.ceil(bound / step) * step, (Math.floor(bound / step) + 1) * step]),
    ...upper.flatMap((bound) => [Math.floor(bound / step) * step, (Math.ceil(bound / step) - 1) * step]),
    step,
    (low + high) / 2,
  ];
}

function sampleNumber(schema: JsonObject): JsonNumber | undefined {
  const bounds = [schema['minimum'], schema['maximum']].filter(isNumber);
  return [1, 0, ...bounds, ...nearBounds(schema)].find((candidate) => fits(candidate, schema));
}

const byFormat: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  'idn-email': 'someone@example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  iri: 'https://example.com/',
  'iri-reference': '/',
  'json-pointer': '/',
  regex: '.*',
  'relative-json-pointer': '0',
  time: '00:00:00Z',
  uri: 'https://example.com/',
  'uri-reference': '/',
  'uri-template': '/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000001',
  byte: 'dGV4dA==',
};

function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : value instanceof ExactNumber ? Number(value.text) : undefined;
}

/** Fits a text into the length that a schema allows, in code points (JSON Schema 2020-12 validation §6.3). */
export function fitLength(text: string, schema: JsonObject): string {
  const points = [...text];
  const shortest = count(schema['minLength']) ?? 0;
  const longest = count(schema['maxLength']) ?? Infinity;
  return points.length > longest
    ? points.slice(0, longest).join('')
    : text.padEnd(text.length + shortest - points.length, '.');
}

/** A text that a string schema, merged, most likely accepts by its `format`, `minLength` and `maxLength`. */
function sampleText(schema: JsonObject): string {
  const { format } = schema;
  const known = typeof format === 'string' && Object.hasOwn(byFormat, format) ? byFormat[format] : undefined;
  return known ?? fitLength('text', schema);
}

/** The values that a schema, merged, gives itself: a `const`, its examples, a default or those of an `enum`, in this order. */
export function givenValues(schema: JsonObject): readonly JsonValue[] {
  const list = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
  const single = (value: JsonValue | undefined): readonly JsonValue[] => (value === undefined ? [] : [value]);
  const { const: only, examples, default: usual, enum: values } = schema;
  return [...single(only), ...list(examples), ...single(usual), ...list(values)];
}

/** How deep a made value goes before it gives up: a schema may require itself. */
const deepest = 8;

/**
 * A value made for a schema: a `const`, example, default or the first of an `enum` where there is one, else
 * the plainest value of its type with what it requires. Validate it before it is used; for a pattern or a
 * contradiction there is none.
 *
 * @param fill - asked for each property, its schema merged; what it names is put in even where it is not required
 */
export function sampleValue(
  whole: JsonSchema,
  fill?: (name: string, schema: JsonObject) => JsonValue | undefined,
): JsonValue | undefined {
  const root = isJsonObject(whole) ? whole : {};

  function sampleObject(schema: JsonObject, depth: number): JsonObject {
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    const entries = [...new Set([...required, ...Object.keys(properties)])].map(
      (name): [string, JsonValue | undefined] => {
        const property = (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? true;
        const merged = mergeSchema(root, isJsonObject(property) ? property : {});
        return [
          name,
          fill?.(name, merged) ?? (required.includes(name) ? sample(merged, depth + 1) : undefined),
        ];
      },
    );
    return Object.fromEntries(
      entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
    );
  }

  function sampleArray(schema: JsonObject, depth: number): JsonValue[] {
    const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
    const length = Math.max(
      first.length,
      Number(schema['minItems'] ?? 0),
      'items' in schema && depth < 3 ? 1 : 0,
    );
    const items = Array.from({ length: Math.min(length, Number(schema['maxItems'] ?? length)) }, (_, index) =>
      sample(first[index] ?? schema['items'] ?? true, depth + 1),
    );
    return items.filter((item) => item !== undefined);
  }

  function sample(schema: JsonValue, depth: number): JsonValue | undefined {
    if (depth > deepest) return undefined;
    const merged = mergeSchema(root, isJsonObject(schema) ? schema : {});
    // An example knows nothing of what is to be filled in.
    const [chosen] = fill !== undefined && 'properties' in merged ? [] : givenValues(merged);
    if (chosen !== undefined) return chosen;
    switch (typeOf(merged)) {
      case 'object':
        return sampleObject(merged, depth);
      case 'array':
        return sampleArray(merged, depth);
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

  return sample(root, 0);
}

function typeOf(schema: JsonObject): JsonValue {
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type'] ?? undefined];
  const type = types.find((each) => each !== 'null') ?? types[0];
  if (type !== undefined) return type;
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'string';
}

/** The text of a value in a header field (OpenAPI 3.1 §4.8.21: style simple). */
function toFieldText(value: JsonValue): string {
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return String(value);
  return Array.isArray(value)
    ? value.map(toFieldText).join(',')
    : Object.entries(value).flat().map(String).join(',');
}

/** Names and values in turn of the fields that a response must carry, except for some, named in lower case. */
export function sampleHeaders(
  declared: readonly DeclaredHeader[],
  except: readonly string[] = [],
): readonly string[] {
  return declared
    .filter(({ name, required }) => required && !except.includes(name.toLowerCase()))
    .flatMap(({ name, schema }) => [name, toFieldText(sampleValue(schema?.schema ?? true) ?? 'text')]);
}

/** Sets a property; `__proto__` becomes an own one like any other. */
export function setOwn(target: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  target[name] = value;
}
