import { ExactNumber } from '../json/exact-number.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';
import { toJsonNumber } from '../json/to-json-number.ts';
import { blendValues } from './blend-values.ts';
import { findDifferences } from './find-differences.ts';
import { keepFewer } from './keep-fewer.ts';

/** Texts longer than this lose letters by the piece only. */
const fewLetters = 20;

/** How a value is to be made smaller. */
export interface ValueSimplification {
  /** Values that say little, to make it like. */
  readonly models: readonly JsonValue[];
  /** Tells the texts and numbers that stay as they are. */
  readonly isFixed: (text: string) => boolean;
  /** A property of the outermost object whose value stays as it is. */
  readonly fixedProperty: string | undefined;
}

function* simplifyText(text: string): Generator<string> {
  const characters = [...text];
  yield 'a';
  for (const kept of keepFewer(characters)) {
    // An empty text is a case of its own.
    yield* kept.length === 0 ? [] : [kept.join('')];
  }
  if (characters.length <= fewLetters) {
    for (const index of characters.keys()) {
      yield characters.with(index, 'a').join('');
    }
  }
}

function* simplifyNumber(text: string): Generator<JsonValue> {
  yield 1;
  yield -1;
  const [whole = ''] = text.split(/[.eE]/u, 1);
  for (let length = Math.ceil(whole.length / 2); length < whole.length; length += 1) {
    const digits = whole.slice(0, length);
    yield* digits === '-' ? [] : [toJsonNumber(digits)];
  }
  yield* whole === text ? [] : [toJsonNumber(whole)];
}

function* simplifyArray(items: readonly JsonValue[], how: ValueSimplification): Generator<JsonValue> {
  for (const kept of keepFewer(items)) {
    yield [...kept];
  }
  // A body in an array is made smaller like the body itself.
  const models = how.models.flatMap((model) => (Array.isArray(model) ? model.slice(0, 1) : [model]));
  for (const [index, item] of items.entries()) {
    for (const smaller of simplifyValue(item, { ...how, models })) {
      yield items.with(index, smaller);
    }
  }
}

function* simplifyObject(
  value: { readonly [name: string]: JsonValue },
  how: ValueSimplification,
): Generator<JsonValue> {
  const members = Object.entries(value);
  for (const kept of keepFewer(members)) {
    yield Object.fromEntries(kept);
  }
  for (const [index, [name, member]] of members.entries()) {
    if (name === how.fixedProperty) {
      continue;
    }
    const models = how.models.flatMap((model) =>
      isJsonObject(model) && Object.hasOwn(model, name) ? [model[name] ?? null] : [],
    );
    for (const smaller of simplifyValue(member, { ...how, models, fixedProperty: undefined })) {
      yield Object.fromEntries(members.with(index, [name, smaller]));
    }
  }
}

/** Like a model but for some of the differences, none of them first. */
function* approach(value: JsonValue, model: JsonValue): Generator<JsonValue> {
  for (const kept of keepFewer(findDifferences(value, model))) {
    yield blendValues({ value, model, kept: new Set(kept) }) ?? model;
  }
}

/**
 * Lists values that are made like a model in most places, and then values with less and less left out of
 * them. Some are no smaller than the given one.
 */
export function* simplifyValue(value: JsonValue, how: ValueSimplification): Generator<JsonValue> {
  for (const model of how.models) {
    yield* approach(value, model);
  }
  if (typeof value === 'string') {
    yield* how.isFixed(value) ? [] : simplifyText(value);
  } else if (typeof value === 'number' || value instanceof ExactNumber) {
    yield* how.isFixed(String(value)) ? [] : simplifyNumber(String(value));
  } else if (Array.isArray(value)) {
    yield* simplifyArray(value, how);
  } else if (isJsonObject(value)) {
    yield* simplifyObject(value, how);
  }
}
