import { isJsonObject } from '../json/is-json-object.ts';
import { ExactNumber } from '../json/exact-number.ts';
import type { JsonValue } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { toJsonNumber } from '../json/to-json-number.ts';
import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import { plainKey } from './key-slot.ts';
import type { PlainBody } from './plain-body.ts';
import { type ValuePlace, valuePlaces } from './value-places.ts';

type Replacement = readonly [value: JsonValue, text?: Body];

/** Values that a careless reader would make a valid one of come first: 1 for "1", "1" for 1, 1.5 for 1. */
function replacements({ at, value }: ValuePlace, body: PlainBody): readonly Replacement[] {
  const digits: Body = at === body.key?.pointer ? [plainKey] : [stringifyJson(value)];
  const others: readonly Replacement[] = [['text'], [1], [true], [false], [{}], [[]], [1.5], ['']];
  if (typeof value === 'number' || value instanceof ExactNumber) {
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
  if (typeof value === 'boolean') {
    return [[String(value)], [Number(value)], ...others];
  }
  if (Array.isArray(value)) {
    return [[value[0] ?? 'text'], [{ 0: value[0] ?? 'text' }], ...others];
  }
  return isJsonObject(value) ? [[[value]], [JSON.stringify('text')], ...others] : others;
}

/** Every way to put a value of another JSON type at one place inside a body; null aside. */
export function wrongTypes(body: PlainBody): readonly BodyEdit[] {
  const places = valuePlaces(body.fullest).slice(1);
  const byPlace = places.map((place) =>
    replacements(place, body).map(([value, text]): BodyEdit => {
      return { kind: 'put', at: place.at, value, ...(text === undefined ? {} : { text }) };
    }),
  );
  // The likeliest mistake at every place comes before the second likeliest at any.
  const rounds = Math.max(0, ...byPlace.map((list) => list.length));
  return [...Array(rounds).keys()].flatMap((round) =>
    byPlace.map((list) => list[round]).filter((edit) => edit !== undefined),
  );
}

/** Bodies in which one property has a value of another JSON type; fractions for integers are among them. */
export function wrongTypeBodies(body: PlainBody): Cases<Body> {
  return editCases({ body, wanted: 'invalid', edits: wrongTypes(body).map((edit) => [edit]) });
}
