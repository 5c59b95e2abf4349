import { toJsonNumber } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, isJsonNumber, type JsonObject, type JsonValue } from '../json/value.ts';
import { valuePlaces } from './edit-cases.ts';
import { judgeValue } from './from-schema.ts';
import { applyEdits, type PlainBody, put } from './plain-body.ts';

/** Pairs the members of two objects; undefined for a member that only the other has. */
function pairMembers(
  left: JsonObject,
  right: JsonObject,
): readonly (readonly [name: string, left: JsonValue | undefined, right: JsonValue | undefined])[] {
  const valueIn = (object: JsonObject, name: string): JsonValue | undefined =>
    Object.hasOwn(object, name) ? object[name] : undefined;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].map((name) => [name, valueIn(left, name), valueIn(right, name)]);
}

/** Makes a value equal to a model, except for the kept differences; undefined if nothing remains. */
function blendValues(
  { value, model, at }: { value: JsonValue | undefined; model: JsonValue | undefined; at: JsonPointer },
  kept: ReadonlySet<JsonPointer>,
): JsonValue | undefined {
  if (!isJsonObject(value) || !isJsonObject(model)) return kept.has(at) ? value : model;
  const members = pairMembers(model, value).flatMap(([name, inModel, inValue]) => {
    const blended = blendValues({ value: inValue, model: inModel, at: appendPointer(at, name) }, kept);
    return blended === undefined ? [] : [[name, blended] as const];
  });
  return Object.fromEntries(members);
}

/** Finds the differences of two values: members that only one has, and the innermost values that differ. */
function findDifferences(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  at: JsonPointer = '',
): readonly JsonPointer[] {
  if (left === undefined || right === undefined) return left === right ? [] : [at];
  if (!isJsonObject(left) || !isJsonObject(right)) {
    return stringifyJson(left) === stringifyJson(right) ? [] : [at];
  }
  return pairMembers(left, right).flatMap(([name, one, other]) =>
    findDifferences(one, other, appendPointer(at, name)),
  );
}

/** The maximum number of chunks of a long list; a shorter one is split again. */
const mostChunks = 32;

/**
 * Yields ways to keep only some items of a list, in order: none, each half, each quarter, all but a quarter, and so on
 * to single items (delta debugging: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002).
 */
export function* keepFewer<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  if (items.length === 0) return;
  yield [];
  for (let chunks = 2; chunks < items.length * 2 && chunks <= mostChunks; chunks *= 2) {
    const size = items.length / Math.min(chunks, items.length);
    const cuts = [...Array(Math.min(chunks, items.length)).keys()].map(
      (index) => [Math.round(index * size), Math.round((index + 1) * size)] as const,
    );
    for (const [from, to] of cuts) {
      yield items.slice(from, to);
    }
    if (chunks > 2) {
      for (const [from, to] of cuts) {
        yield [...items.slice(0, from), ...items.slice(to)];
      }
    }
  }
}

function vary(item: JsonValue, index: number): JsonValue {
  if (index === 0 || (typeof item !== 'string' && typeof item !== 'number')) return item;
  const digits = index.toString(26).replaceAll(/\d/gu, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));
  return typeof item === 'number' ? item + index : item + digits;
}

/**
 * Returns two lists of `count` items similar to a given one, first of distinct ones, then of equal ones: a list may
 * require unique items, or allow only some items.
 */
export function repeatItem(item: JsonValue, count: number): readonly (readonly JsonValue[])[] {
  return [
    Array.from({ length: count }, (_, index) => vary(item, index)),
    Array.from({ length: count }, () => item),
  ];
}

/** Longer texts are not changed. */
const longest = 12;

function simplerValues(value: JsonValue, leastText: number): readonly JsonValue[] {
  if (typeof value === 'string') {
    const lengths = [...Array(Math.min(value.length, longest)).keys()].map((index) => index + 1);
    return lengths.filter((length) => length >= leastText).map((length) => 'a'.repeat(length));
  }
  if (isJsonNumber(value)) return [1];
  return Array.isArray(value) && value.length > 1 ? [[], value.slice(0, 1)] : [];
}

function simplify(body: PlainBody, leastText: number): JsonValue {
  let simplest = body.smallest;
  for (const { at, value } of valuePlaces(body.smallest)) {
    const candidates = at === body.key?.pointer ? [] : simplerValues(value, leastText);
    simplest =
      candidates
        .map((simpler) => applyEdits(body, simplest, [put(at, simpler)])?.value)
        .find((made) => made !== undefined && judgeValue(body.schema, made) === 'valid') ?? simplest;
  }
  return simplest;
}

const known = new WeakMap<PlainBody, readonly JsonValue[]>();

/**
 * Returns the simplest valid values of a body: without optional parts, each text as short as its schema allows, and
 * again with usual texts of at least three letters. Computed on first use.
 */
export function simplestValues(body: PlainBody): readonly JsonValue[] {
  const values = known.get(body) ?? [simplify(body, 1), simplify(body, 3)];
  known.set(body, values);
  return values;
}

/** Longer texts are only shortened in pieces. */
const fewLetters = 20;

/** Options for making a value smaller. */
interface ValueSimplification {
  /** Simple values to approach. */
  readonly models: readonly JsonValue[];
  /** Returns whether a text or number must stay unchanged. */
  readonly isFixed: (text: string) => boolean;
  /** A property of the outermost object whose value must stay unchanged. */
  readonly fixedProperty: string | undefined;
}

function* simplifyText(text: string): Generator<string> {
  const characters = [...text];
  yield 'a';
  for (const kept of keepFewer(characters)) {
    // An empty text is a special case.
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

function* simplifyObject(value: JsonObject, how: ValueSimplification): Generator<JsonValue> {
  const members = Object.entries(value);
  for (const kept of keepFewer(members)) {
    yield Object.fromEntries(kept);
  }
  for (const [index, [name, member]] of members.entries()) {
    if (name === how.fixedProperty) continue;
    const models = how.models.flatMap((model) =>
      isJsonObject(model) && Object.hasOwn(model, name) ? [model[name] ?? null] : [],
    );
    for (const smaller of simplifyValue(member, { ...how, models, fixedProperty: undefined })) {
      yield Object.fromEntries(members.with(index, [name, smaller]));
    }
  }
}

/** Yields the model with some of the differences, starting with none. */
function* approach(value: JsonValue, model: JsonValue): Generator<JsonValue> {
  for (const kept of keepFewer(findDifferences(value, model))) {
    yield blendValues({ value, model, at: '' }, new Set(kept)) ?? model;
  }
}

/** Yields values close to a model, then values with parts removed; some are not smaller. */
export function* simplifyValue(value: JsonValue, how: ValueSimplification): Generator<JsonValue> {
  for (const model of how.models) {
    yield* approach(value, model);
  }
  if (typeof value === 'string') {
    yield* how.isFixed(value) ? [] : simplifyText(value);
  } else if (isJsonNumber(value)) {
    yield* how.isFixed(String(value)) ? [] : simplifyNumber(String(value));
  } else if (Array.isArray(value)) {
    yield* simplifyArray(value, how);
  } else if (isJsonObject(value)) {
    yield* simplifyObject(value, how);
  }
}

const container = 2;
const emptyText = 3;

function characterCost(character: string): number {
  if (character === 'a') return 1;
  return /^[A-Za-z]$/u.test(character) ? 2 : 3;
}

function textCost(text: string): number {
  // Texts of one repeated letter can be very long, and slow to iterate.
  const isOfLetter = /^a+$/u.test(text);
  const characters = isOfLetter ? [] : [...text];
  return text === ''
    ? emptyText
    : characters.reduce((sum, character) => sum + characterCost(character), isOfLetter ? text.length : 0);
}

/**
 * Returns how much there is to read in a value: short and typical values cost least. `"a"` costs less than an empty
 * text, and 1 less than other numbers, because both are special cases for many services. A free value costs as little
 * as 1.
 */
export function valueCost(value: JsonValue, isFree: (text: string) => boolean): number {
  if (typeof value === 'string') return isFree(value) ? 1 : textCost(value);
  if (isJsonNumber(value)) {
    const text = String(value);
    return text === '1' || isFree(text) ? 1 : 1 + text.length;
  }
  if (value === null || typeof value === 'boolean') return 2;
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, item) => sum + 1 + valueCost(item, isFree), container);
  }
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + 1 + textCost(name) + valueCost(member, isFree),
    container,
  );
}
