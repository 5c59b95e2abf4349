import { isJsonObject } from '../contract/resolve-object.ts';
import { ExactNumber } from '../json/exact-number.ts';
import { appendPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { toJsonNumber } from '../json/to-json-number.ts';
import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import type { PlainBody } from './plain-body.ts';
import { schemasAt } from './schemas-at.ts';
import { type ValuePlace, valuePlaces } from './value-places.ts';

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
  const tooShort = numbers(schemas, ['minLength']).filter((length) => length > 0).map((length) => 'a'.repeat(Math.min(length, longest) - 1));
  const tooLong = numbers(schemas, ['maxLength']).filter((length) => length < longest).map((length) => 'a'.repeat(length + 1));
  return [...tooShort, ...tooLong, `${text}?`, `x${text}`, `${text}\n`, text.toUpperCase(), text.toLowerCase(), 'other', '', '\u0000', '😀'];
}

function numbersOutside(schemas: readonly JsonObject[]): readonly JsonValue[] {
  const low = numbers(schemas, ['minimum', 'exclusiveMinimum']).flatMap((bound) => [bound, bound - 1, bound - 0.5]);
  const high = numbers(schemas, ['maximum', 'exclusiveMaximum']).flatMap((bound) => [bound, bound + 1, bound + 0.5]);
  const between = numbers(schemas, ['multipleOf']).flatMap((step) => [step / 2, step + 1]);
  const far = ['-1', '0', '2147483648', '-9223372036854775808', '9223372036854775807'].map(toJsonNumber);
  return [...[...low, ...high, ...between].filter(Number.isFinite).map((value) => toJsonNumber(String(value))), ...far];
}

function arraysOutside(items: readonly JsonValue[], schemas: readonly JsonObject[]): readonly JsonValue[] {
  const [first = null] = items;
  const tooFew = numbers(schemas, ['minItems']).filter((count) => count > 0).map((count) => items.slice(0, count - 1));
  const tooMany = numbers(schemas, ['maxItems'])
    .filter((count) => count < longest)
    .map((count) => [...Array(count + 1).keys()].map((index) => items[index % Math.max(1, items.length)] ?? first));
  return [...tooFew, ...tooMany, [...items, first], [...items, null]];
}

function outside({ value }: ValuePlace, schemas: readonly JsonObject[]): readonly JsonValue[] {
  const allowed = schemas.some((schema) => Object.hasOwn(schema, 'enum') || Object.hasOwn(schema, 'const'));
  if (typeof value === 'string') {
    return textsOutside(value, schemas);
  }
  if (typeof value === 'number' || value instanceof ExactNumber) {
    return numbersOutside(schemas);
  }
  if (typeof value === 'boolean') {
    return allowed ? [!value] : [];
  }
  return Array.isArray(value) ? arraysOutside(value, schemas) : [];
}

/**
 * Every way to take one value out of what its schema bounds: length, range, pattern, enumeration, number of
 * items, properties that are not allowed. A value that is not out of bounds after all is among them too.
 */
export function boundEdits(body: PlainBody): readonly BodyEdit[] {
  const root = body.schema?.schema ?? true;
  return valuePlaces(body.fullest).flatMap((place): BodyEdit[] => {
    const schemas = schemasAt(root, place.at);
    const values = place.at === '' ? [] : outside(place, schemas);
    const extras = isJsonObject(place.value) ? ['extra', '__proto__'] : [];
    return [
      ...values.map((value): BodyEdit => ({ kind: 'put', at: place.at, value })),
      ...extras.map((name): BodyEdit => ({ kind: 'put', at: appendPointer(place.at, name), value: 'text' })),
    ];
  });
}

/** Bodies in which one value has the right type and is out of its bounds. */
export function outOfBoundsBodies(body: PlainBody): Cases<Body> {
  return editCases({ body, wanted: 'invalid', edits: boundEdits(body).map((edit) => [edit]) });
}
