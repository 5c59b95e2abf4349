import fc from 'fast-check';
import { toJsonNumber } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, isJsonNumber, type JsonObject, type JsonValue } from '../json/value.ts';
import { schemasAt } from '../schema/walk.ts';
import { editCases, type ValuePlace, valuePlaces } from './edit-cases.ts';
import { numbersOf } from './plain-number.ts';
import { type BodyEdit, isEditedTo, type PlainBody, put } from './plain-body.ts';
import { type Body, type Cases, plainKey, takeTurns } from './request-case.ts';

/** Returns every removal of one property, at every depth. */
function missingProperties(body: PlainBody): readonly BodyEdit[] {
  return valuePlaces(body.fullest).flatMap(({ at, value }) =>
    isJsonObject(value)
      ? Object.keys(value).map((name): BodyEdit => ({ kind: 'remove', at: appendPointer(at, name) }))
      : [],
  );
}

/** Returns bodies without one of the required properties. */
export function missingPropertyBodies(body: PlainBody): Cases<Body> {
  return editCases({ body, wanted: 'invalid', edits: missingProperties(body).map((edit) => [edit]) });
}

/** Returns every edit that puts null in the place of another value inside a body. */
export function nullValues(body: PlainBody): readonly BodyEdit[] {
  return valuePlaces(body.fullest)
    .slice(1)
    .filter(({ value }) => value !== null)
    .map(({ at }) => put(at, null));
}

/** Returns bodies in which one property is null although its schema does not allow it. */
export function nullValueBodies(body: PlainBody): Cases<Body> {
  return editCases({ body, wanted: 'invalid', edits: nullValues(body).map((edit) => [edit]) });
}

/** The maximum length of texts and arrays. Longer ones reveal nothing more about a bound, and cost time. */
const longest = 100_000;

function numbers(schemas: readonly JsonObject[], keywords: readonly string[]): readonly number[] {
  return numbersOf(schemas, keywords)
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
  const lowest = numbers(schemas, ['minimum', 'exclusiveMinimum']);
  const low = lowest.flatMap((bound) => [bound, bound - 1, bound - 0.5]);
  const highest = numbers(schemas, ['maximum', 'exclusiveMaximum']);
  const high = highest.flatMap((bound) => [bound, bound + 1, bound + 0.5]);
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
 * Returns values of the same type on both sides of each bound in the schemas (length, range, pattern, enumeration,
 * number of items). A validator decides which are out of bounds.
 */
export function valuesOutside(value: JsonValue, schemas: readonly JsonObject[]): readonly JsonValue[] {
  if (typeof value === 'string') return textsOutside(value, schemas);
  if (isJsonNumber(value)) return numbersOutside(schemas);
  if (typeof value === 'boolean') return [!value];
  return Array.isArray(value) ? arraysOutside(value, schemas) : [];
}

/** Returns edits that move one value out of its bounds, or add an undeclared property; some results are valid. */
export function boundEdits(body: PlainBody): readonly BodyEdit[] {
  const root = body.schema?.schema ?? true;
  return valuePlaces(body.fullest).flatMap(({ at, value }): BodyEdit[] => {
    const values = at === '' ? [] : valuesOutside(value, schemasAt(root, at));
    const extras = isJsonObject(value) ? ['extra', '__proto__'] : [];
    return [
      ...values.map((other) => put(at, other)),
      ...extras.map((name) => put(appendPointer(at, name), 'text')),
    ];
  });
}

/** Returns bodies in which one value has the right type and is out of its bounds. */
export function outOfBoundsBodies(body: PlainBody): Cases<Body> {
  return editCases({ body, wanted: 'invalid', edits: boundEdits(body).map((edit) => [edit]) });
}

type Replacement = readonly [value: JsonValue, text?: Body];

/** Returns replacements; values that a lenient reader would convert come first: 1 for "1", "1" for 1, 1.5 for 1. */
function replacements({ at, value }: ValuePlace, body: PlainBody): readonly Replacement[] {
  const digits: Body = at === body.key?.pointer ? [plainKey] : [stringifyJson(value)];
  const others: readonly Replacement[] = [['text'], [1], [true], [false], [{}], [[]], [1.5], ['']];
  if (isJsonNumber(value)) {
    const text = stringifyJson(value);
    const withFraction: readonly Replacement[] = /^-?\d+$/u.test(text)
      ? [[toJsonNumber(`${text}.5`), [...digits, '.5']]]
      : [];
    return [
      [text, ['"', ...digits, '"']],
      ...withFraction,
      [[value], ['[', ...digits, ']']],
      [`${text}.0`, ['"', ...digits, '.0"']],
      ...others,
    ];
  }
  if (typeof value === 'string') {
    return [
      [1],
      [[value], ['[', ...(at === body.key?.pointer ? digits : [JSON.stringify(value)]), ']']],
      ...others,
    ];
  }
  if (typeof value === 'boolean') return [[String(value)], [Number(value)], ...others];
  if (Array.isArray(value)) return [[value[0] ?? 'text'], [{ 0: value[0] ?? 'text' }], ...others];
  return isJsonObject(value) ? [[[value]], [JSON.stringify('text')], ...others] : others;
}

/** Returns every edit that puts a value of another JSON type, except null, at a place inside a body. */
function wrongTypes(body: PlainBody): readonly BodyEdit[] {
  const places = valuePlaces(body.fullest).slice(1);
  // The most likely mistake at every place comes before the second most likely at any.
  return takeTurns(
    places.map((place) => replacements(place, body).map(([value, text]) => put(place.at, value, text))),
  );
}

/** Returns bodies in which one property has a value of another JSON type, including fractions for integers. */
export function wrongTypeBodies(body: PlainBody): Cases<Body> {
  return editCases({ body, wanted: 'invalid', edits: wrongTypes(body).map((edit) => [edit]) });
}

/** Returns bodies with several faults. */
export function combinedFaultBodies(body: PlainBody): Cases<Body> {
  const known = new Map<BodyEdit, boolean>();
  const isFault = (edit: BodyEdit): boolean => {
    const found =
      known.get(edit) ?? isEditedTo(body, { base: body.fullest, edits: [edit], wanted: 'invalid' });
    known.set(edit, found);
    return found;
  };
  const missing = missingProperties(body);
  const nulls = nullValues(body);
  const wrong = wrongTypes(body);
  const all = [...missing, ...nulls, ...wrong, ...boundEdits(body)];
  const first = all.find(isFault);
  if (first === undefined || !all.some((edit) => edit.at !== first.at && isFault(edit))) {
    return { examples: [], arbitrary: undefined };
  }
  const places = [...new Set(wrong.map(({ at }) => at))];
  const firstWrong = (at: JsonPointer): readonly BodyEdit[] =>
    wrong.filter((edit) => edit.at === at && isFault(edit)).slice(0, 1);
  const isOuter = (at: JsonPointer): boolean => at.lastIndexOf('/') === 0;

  /** Yields edits with all values wrong, and with one property missing beside another of the wrong type. */
  function* edits(): Generator<readonly BodyEdit[]> {
    yield nulls.filter(({ at }) => isOuter(at)).filter(isFault);
    yield places.filter(isOuter).flatMap(firstWrong);
    for (const gone of missing.toReversed()) {
      if (!isFault(gone)) continue;
      for (const at of places.toReversed()) {
        const others = at.startsWith(gone.at) ? [] : firstWrong(at);
        yield* others.map((other) => [other, gone]);
      }
    }
  }
  const several = fc.uniqueArray(fc.constantFrom(...all), {
    selector: ({ at }) => at,
    minLength: 2,
    maxLength: 6,
  });
  return editCases({
    body,
    wanted: 'invalid',
    edits: edits(),
    random: several.map((list) => list.filter(isFault)),
    most: 12,
  });
}
