import { ExactNumber } from '../json/exact-number.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { toJsonNumber } from '../json/to-json-number.ts';

/** Longer texts and arrays would say nothing more about a bound, and cost time. */
const longest = 100_000;

function numbers(schemas: readonly JsonObject[], keywords: readonly string[]): readonly number[] {
  const values = schemas.flatMap((schema) => keywords.map((keyword) => schema[keyword]));
  return values
    .filter((value) => typeof value === 'number' || value instanceof ExactNumber)
    .map((value) => Number(String(value)))
    .filter((value) => Number.isFinite(value));
}

function textsOutside(text: string, schemas: readonly JsonObject[]): readonly JsonValue[] {
  const tooShort = numbers(schemas, ['minLength'])
    .filter((length) => length > 0 && length < longest)
    .map((length) => 'a'.repeat(length - 1));
  const tooLong = numbers(schemas, ['maxLength'])
    .filter((length) => length < longest)
    .map((length) => 'a'.repeat(length + 1));
  const near = [`${text}?`, `x${text}`, `${text}\n`, text.toUpperCase(), text.toLowerCase()];
  return [...tooShort, ...tooLong, ...near, 'other', '', '\u0000', '😀'];
}

function numbersOutside(schemas: readonly JsonObject[]): readonly JsonValue[] {
  const low = numbers(schemas, ['minimum', 'exclusiveMinimum']).flatMap((bound) => [
    bound,
    bound - 1,
    bound - 0.5,
  ]);
  const high = numbers(schemas, ['maximum', 'exclusiveMaximum']).flatMap((bound) => [
    bound,
    bound + 1,
    bound + 0.5,
  ]);
  const between = numbers(schemas, ['multipleOf']).flatMap((step) => [step / 2, step + 1]);
  const near = [...low, ...high, ...between].filter((value) => Number.isFinite(value)).map(String);
  return [...near, '-1', '0', '2147483648', '-9223372036854775808', '9223372036854775807'].map(toJsonNumber);
}

function arraysOutside(items: readonly JsonValue[], schemas: readonly JsonObject[]): readonly JsonValue[] {
  const [first = null] = items;
  const tooFew = numbers(schemas, ['minItems'])
    .filter((count) => count > 0)
    .map((count) => items.slice(0, count - 1));
  const tooMany = numbers(schemas, ['maxItems'])
    .filter((count) => count < longest)
    .map((count) =>
      Array.from({ length: count + 1 }, (_none, index) => items[index % items.length] ?? first),
    );
  return [...tooFew, ...tooMany, [...items, first], [...items, null]];
}

/**
 * Values of the same type on both sides of what the schemas bound: length, range, pattern, enumeration,
 * number of items. Which of them are out of bounds is for a validator to say.
 *
 * @param schemas - those that speak for the value
 */
export function valuesOutside(value: JsonValue, schemas: readonly JsonObject[]): readonly JsonValue[] {
  if (typeof value === 'string') {
    return textsOutside(value, schemas);
  }
  if (typeof value === 'number' || value instanceof ExactNumber) {
    return numbersOutside(schemas);
  }
  if (typeof value === 'boolean') {
    return [!value];
  }
  return Array.isArray(value) ? arraysOutside(value, schemas) : [];
}
