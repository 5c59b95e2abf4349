import { toJsonNumber } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, isJsonNumber, type JsonObject, type JsonValue } from '../json/value.ts';
import { valuePlaces } from './edit-cases.ts';
import { judgeValue } from './from-schema.ts';
import { applyEdits, type PlainBody, put } from './plain-body.ts';

/** The members of two objects; undefined for one that only the other has. */
function pairMembers(
  left: JsonObject,
  right: JsonObject,
): readonly (readonly [name: string, left: JsonValue | undefined, right: JsonValue | undefined])[] {
  const valueIn = (object: JsonObject, name: string): JsonValue | undefined =>
    Object.hasOwn(object, name) ? object[name] : undefined;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].map((name) => [name, valueIn(left, name), valueIn(right, name)]);
}

/** Makes a value like a model, but for the differences that are kept; undefined where that leaves nothing. */
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

/** Where two values differ: members that only one of them has, and the innermost values that are not the same in both. */
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

/** Finer than this a long list is not cut; once it is shorter it is cut again. */
const mostChunks = 32;

/**
 * Ways to keep only some items of a list, in its order: none, each half, each quarter, all but a quarter, and so on
 * to single items (delta debugging: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input",
 * 2002).
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
 * Lists of so many items like a given one, distinct ones first: a list may have to hold no item twice, or only some
 * items.
 */
export function repeatItem(item: JsonValue, count: number): readonly (readonly JsonValue[])[] {
  return [
    Array.from({ length: count }, (_, index) => vary(item, index)),
    Array.from({ length: count }, () => item),
  ];
}

/** Longer texts stay as they are. */
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
 * The valid values of a body that say least: without what is optional, each text as short as its schema allows, and
 * once more with texts of three letters or more, which nobody finds unusual. Worked out when first asked for.
 */
export function simplestValues(body: PlainBody): readonly JsonValue[] {
  const values = known.get(body) ?? [simplify(body, 1), simplify(body, 3)];
  known.set(body, values);
  return values;
}

/** Texts longer than this lose letters by the piece only. */
const fewLetters = 20;

/** How a value is to be made smaller. */
interface ValueSimplification {
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

/** Like a model but for some of the differences, none of them first. */
function* approach(value: JsonValue, model: JsonValue): Generator<JsonValue> {
  for (const kept of keepFewer(findDifferences(value, model))) {
    yield blendValues({ value, model, at: '' }, new Set(kept)) ?? model;
  }
}

/** Lists values that are like a model in most places, then values with less left out; some are no smaller. */
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
  // Texts of one letter are as long as any, and cost most to go through.
  const isOfLetter = /^a+$/u.test(text);
  const characters = isOfLetter ? [] : [...text];
  return text === ''
    ? emptyText
    : characters.reduce((sum, character) => sum + characterCost(character), isOfLetter ? text.length : 0);
}

/**
 * How much there is to read in a value: what anybody would send, as short as can be, costs least. `"a"` costs less
 * than an empty text and 1 less than other numbers, as both are special cases to many a service; what is free costs
 * as little as 1.
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
