import { plain, splitWords } from '../../contract/resource-key.ts';
import { compareNumbers, type ExactNumber, numberKey, toJsonNumber } from '../../json/exact-number.ts';
import { hashText } from '../../json/fingerprint.ts';
import { toText } from '../../json/print.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { BehaviourValues } from '../../policy/behaviour.ts';
import { type JsonSchema, schemasInPlace } from '../../schema/walk.ts';

/** An item of a list. */
export interface ListedItem {
  /** The stored JSON text. */
  readonly text: string;
  readonly id: JsonValue;
  /** Increases with each new item; it never changes for an item. */
  readonly position: number;
  readonly kept: JsonObject;
  /** The value that the list shows. */
  readonly shown: JsonValue;
}

/** Returns whether an item matches the request. */
export type ItemTest = (item: ListedItem) => boolean;

/** One of the properties that items are ordered by. */
export interface SortKey {
  /** `scattered`: by the hash of an id, an order that clients cannot rely on. */
  readonly path: PropertyPath | 'id' | 'scattered';
  readonly isDown: boolean;
}

/** The names that lead to a property of an item. */
type PropertyPath = readonly string[];

interface DeclaredProperty {
  readonly path: PropertyPath;
  /** Its values, if they are enumerated. */
  readonly values: readonly JsonValue[] | undefined;
}

/** The filters and sort orders of a list, by the names of properties. */
export interface Conditions {
  /** Whether any property is known. */
  readonly hasNames: boolean;
  /** Returns whether an item has a property with this name, as words: `address` and `city` for `address[city]`. */
  readonly names: (words: readonly string[]) => boolean;
  /** Returns whether an item has a value for the property with this name. */
  readonly has: (words: readonly string[], item: ListedItem) => boolean;
  /**
   * Prepares the test for a parameter of this name. Returns undefined unless it is the name of a property, alone or
   * with a comparison word: `min_price`, `created_after`, `price[gte]`. `match` is for the name alone.
   */
  readonly findTest: (
    words: readonly string[],
    match?: BehaviourValues['filter-match'],
  ) => ((wanted: JsonValue) => ItemTest) | undefined;
  /** Returns whether a value means all items: `status=all`, if no item can have that status. */
  readonly isEverything: (words: readonly string[], wanted: JsonValue) => boolean;
  /** Parses a sort order: `name`, `-name`, `name:desc`, `name desc`, `name_desc`, `desc(name)`, `newest`. */
  readonly findSort: (text: string, isDown: boolean) => SortKey | 'newest' | 'oldest' | undefined;
}

const longestName = 200;

/** The maximum depth of properties that can be filtered by. */
const deepest = 3;

/** Prepares filters and sort orders by the properties that schemas declare. The first schema has precedence. */
export function createConditions(schemas: readonly JsonSchema[]): Conditions {
  const properties = new Map<string, DeclaredProperty>();
  const declared = schemas.flatMap((schema) => declaredProperties(schema));
  const add = (name: string, property: DeclaredProperty): void => {
    if (name !== '' && !properties.has(name)) properties.set(name, property);
  };
  for (const property of declared.toSorted((a, b) => a.path.length - b.path.length)) {
    add(plain(property.path.join('')), property);
  }
  // A property in JSON:API's `attributes` is also known by its name alone.
  for (const property of declared) {
    if (property.path[0] === 'attributes') add(plain(property.path.slice(1).join('')), property);
  }
  const named = (words: readonly string[]): DeclaredProperty | undefined =>
    properties.get(plain(words.join('')));
  const find = (words: readonly string[]): PropertyPath | undefined => named(words)?.path;

  /** `created` may be short for `created_at`, if it is not ambiguous. */
  function findTime(words: readonly string[]): PropertyPath | undefined {
    const name = plain(words.join(''));
    const found = ['at', 'on', 'date', 'time', 'timestamp'].flatMap(
      (end) => properties.get(name + end) ?? [],
    );
    return find(words) ?? (found.length === 1 ? found[0]?.path : undefined);
  }

  function findTest(
    words: readonly string[],
    match: BehaviourValues['filter-match'] = 'exact',
  ): ReturnType<Conditions['findTest']> {
    const own = find(words);
    if (own !== undefined) return (wanted) => matches[match](own, wanted);
    const [first = '', last = ''] = [words[0], words.at(-1)];
    if (words.length > 1) {
      const test = comparisons.get(last);
      const path = test && findTime(words.slice(0, -1));
      if (test !== undefined && path !== undefined) return (wanted) => test(path, wanted);
      const bound = /^(?:min|max|minimum|maximum)$/u.test(first) ? comparisons.get(first) : undefined;
      const bounded = bound && find(words.slice(1));
      if (bound !== undefined && bounded !== undefined) return (wanted) => bound(bounded, wanted);
    }
    // `ids`, `statuses`
    const one = ['s', 'es'].filter((end) => last.endsWith(end)).map((end) => last.slice(0, -end.length));
    const path = one.map((word) => find([...words.slice(0, -1), word])).find((each) => each !== undefined);
    return path && ((wanted) => oneOf(path, wanted));
  }

  function findSort(text: string, isDown: boolean): ReturnType<Conditions['findSort']> {
    // A name is short, and the expression may be slow for other texts.
    if (text.length > longestName) return undefined;
    const called = /^(asc|desc)\((.*)\)$/iu.exec(text);
    const [, sign = '', name = '', after = ''] =
      called === null
        ? (/^([-+]?)(.*?)(?:[:. |](asc|desc)\w*)?$/iu.exec(text.trim()) ?? [])
        : [text, '', called[2], called[1]];
    const words = splitWords(name);
    const end = /^(asc|desc)/u.exec(find(words) === undefined ? (words.at(-1) ?? '') : '')?.[1] ?? '';
    const said = after === '' ? end : after.toLowerCase();
    const down = sign === '-' || said === 'desc' || (isDown && said === '' && sign === '');
    const path = findTime(end === '' ? words : words.slice(0, -1));
    if (path !== undefined) return { path, isDown: down };
    if (/^(?:newest|latest|recent)/iu.test(name)) return 'newest';
    return /^(?:oldest|earliest)/iu.test(name) ? 'oldest' : undefined;
  }

  return {
    hasNames: properties.size > 0,
    names: (words) => find(words) !== undefined,
    has(words, item) {
      const path = find(words);
      return path === undefined || someValue(item, path, (value) => value !== null);
    },
    findTest,
    isEverything: (words, wanted) =>
      /^(?:all|any|\*)$/iu.test(toText(wanted)) && named(words)?.values?.includes(wanted) === false,
    findSort,
  };
}

/** Returns the properties that clients may see, in the order of the schema. */
function declaredProperties(whole: JsonSchema): readonly DeclaredProperty[] {
  const entered = new Set<JsonObject>();

  function below(schema: JsonValue, path: PropertyPath): readonly DeclaredProperty[] {
    // A schema may contain itself.
    if (!isJsonObject(schema) || entered.has(schema)) return [];
    entered.add(schema);
    const found = inside(schema, path);
    entered.delete(schema);
    return found;
  }

  function inside(schema: JsonObject, path: PropertyPath): readonly DeclaredProperty[] {
    const parts = schemasInPlace(whole, schema);
    if (parts.some((part) => part['writeOnly'] === true)) return [];
    const items = parts.flatMap((part) => (part['items'] === undefined ? [] : below(part['items'], path)));
    const members = parts.flatMap((part) =>
      isJsonObject(part['properties']) && path.length < deepest ? Object.entries(part['properties']) : [],
    );
    const values = parts.map((part) => part['enum']).find((list) => Array.isArray(list));
    return [
      ...(path.length === 0 ? [] : [{ path, values }]),
      ...items,
      ...members.flatMap(([name, property]) => below(property, [...path, name])),
    ];
  }
  return below(whole, []);
}

type ValueTest = (value: JsonValue) => boolean;

/** Returns whether a path leads to a value that passes the test. Each item of an array is tested, until one passes. */
function someAt(value: JsonValue | undefined, path: PropertyPath, test: ValueTest): boolean {
  function visit(part: JsonValue | undefined, depth: number): boolean {
    if (Array.isArray(part)) return part.some((each) => visit(each, depth));
    const name = path[depth];
    if (name === undefined) return part !== undefined && test(part);
    return isJsonObject(part) && Object.hasOwn(part, name) && visit(part[name], depth + 1);
  }
  return visit(value, 0);
}

function firstAt(value: JsonValue, path: PropertyPath): JsonValue | undefined {
  let first: JsonValue | undefined;
  someAt(value, path, (each) => {
    first = each;
    return true;
  });
  return first;
}

/** Tests the value in the list or, if the list does not show it, the stored one. */
function someValue({ shown, kept }: ListedItem, path: PropertyPath, test: ValueTest): boolean {
  return someAt(someAt(shown, path, () => true) ? shown : kept, path, test);
}

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

function toNumber(value: JsonValue): number | ExactNumber | undefined {
  if (isJsonNumber(value)) return value;
  return typeof value === 'string' && numberText.test(value) ? toJsonNumber(value) : undefined;
}

/** Prepares the test that a value equals one of the wanted ones. The type of the value decides the comparison. */
function matcher(wanted: readonly JsonValue[]): ValueTest {
  const texts = new Set(wanted.map(toText));
  const keys = new Set(wanted.map(toNumber).flatMap((each) => (each === undefined ? [] : numberKey(each))));
  // A number that JavaScript represents exactly needs no key.
  const plainNumbers = new Set(
    [...keys].map(Number).filter((each) => Number.isFinite(each) && keys.has(numberKey(each))),
  );
  const objects = wanted
    .filter((each) => isJsonObject(each))
    .map((each) => Object.entries(each).map(([name, member]) => [name, matcher([member].flat())] as const));
  return (value) => {
    if (typeof value === 'number') return plainNumbers.has(value);
    if (isJsonNumber(value)) return keys.has(numberKey(value));
    const isLike = objects.some((members) =>
      members.every(([name, matches]) => someAt(value, [name], matches)),
    );
    return isLike || texts.has(toText(value));
  };
}

type Comparison = (path: PropertyPath, wanted: JsonValue) => ItemTest;

const inOrder =
  (test: (order: number) => boolean): Comparison =>
  (path, wanted) =>
  (item) =>
    someValue(item, path, (value) => {
      const order = compareTo(value, wanted);
      return order !== undefined && test(order);
    });
const atLeast = inOrder((order) => order >= 0);
const atMost = inOrder((order) => order <= 0);
const above = inOrder((order) => order > 0);
const under = inOrder((order) => order < 0);
const equal: Comparison = (path, wanted) => {
  const matches = matcher([wanted].flat());
  return (item) => someValue(item, path, matches);
};
const oneOf: Comparison = (path, wanted) =>
  equal(path, typeof wanted === 'string' ? wanted.split(',') : wanted);
const otherThan: Comparison = (path, wanted) => {
  const isOne = oneOf(path, wanted);
  return (item) => !isOne(item);
};
/** Compares texts, ignoring case. */
const alike =
  (test: (text: string, wanted: string) => boolean): Comparison =>
  (path, wanted) => {
    const part = toText(wanted).toLowerCase();
    return (item) => someValue(item, path, (value) => test(toText(value).toLowerCase(), part));
  };
const containing = alike((text, part) => text.includes(part));
const matches: Readonly<Record<BehaviourValues['filter-match'], Comparison>> = {
  exact: equal,
  prefix: alike((text, part) => text.startsWith(part)),
  part: containing,
};

/** The comparisons, by the words beside the name of a property. */
const comparisons = new Map<string, Comparison>([
  ...['gte', 'ge', 'min', 'minimum', 'from', 'since'].map((word) => [word, atLeast] as const),
  ...['lte', 'le', 'max', 'maximum', 'to', 'until'].map((word) => [word, atMost] as const),
  ...['gt', 'after'].map((word) => [word, above] as const),
  ...['lt', 'before'].map((word) => [word, under] as const),
  ...['eq', 'in'].map((word) => [word, oneOf] as const),
  ...['ne', 'neq', 'not', 'nin'].map((word) => [word, otherThan] as const),
  ...['contains', 'like', 'ilike'].map((word) => [word, containing] as const),
]);

const dayText = /^\d{4}-\d\d-\d\d$/u;
const timeText = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/u;

/** Compares a value with a bound; undefined if they are not comparable. Days are compared with the days of times. */
function compareTo(value: JsonValue, bound: JsonValue): number | undefined {
  if (isJsonNumber(value)) {
    const number = toNumber(bound);
    return number === undefined ? undefined : compareNumbers(value, number);
  }
  if (typeof value !== 'string' || typeof bound !== 'string') return undefined;
  const isDay = dayText.test(bound) || dayText.test(value);
  return isDay ? compareTexts(value.slice(0, 10), bound.slice(0, 10)) : compareTexts(value, bound);
}

function compareTexts(left: string, right: string): number {
  const apart = timeText.test(left) && timeText.test(right) ? Date.parse(left) - Date.parse(right) : NaN;
  if (!Number.isNaN(apart)) return apart;
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** Returns the values that an item is ordered by: numbers, null, and texts for other types, for fast comparisons. */
export function sortValues(item: ListedItem, keys: readonly SortKey[]): readonly JsonValue[] {
  return keys.map(({ path }) => {
    if (path === 'scattered') return scatter(toText(item.id));
    const value = path === 'id' ? item.id : (firstAt(item.shown, path) ?? firstAt(item.kept, path) ?? null);
    return value === null || isJsonNumber(value) ? value : toText(value);
  });
}

/** Returns a number without relation to the order of texts: the hash, and the last step of MurmurHash3. */
function scatter(text: string): number {
  let hash = hashText(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Compares the sort values of two items. Missing values and null come last in both directions. */
export function compareValues(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  keys: readonly SortKey[],
): number {
  for (const [index, { isDown }] of keys.entries()) {
    const [a, b] = [left[index] ?? null, right[index] ?? null];
    if (a === null || b === null) {
      if (a !== b) return a === null ? 1 : -1;
      continue;
    }
    const order =
      isJsonNumber(a) && isJsonNumber(b) ? compareNumbers(a, b) : compareTexts(toText(a), toText(b));
    if (order !== 0) return isDown ? -order : order;
  }
  return 0;
}

/** Compares an item with a cursor whose last value is a prefix: 0 for each item that it may refer to. */
export function compareCut(
  values: readonly JsonValue[],
  cut: readonly JsonValue[],
  keys: readonly SortKey[],
): number {
  const last = cut.length - 1;
  const before = compareValues(values, cut, keys.slice(0, last));
  if (before !== 0 || toText(values[last] ?? '').startsWith(toText(cut[last] ?? ''))) return before;
  return compareValues(values.slice(last), cut.slice(last), keys.slice(last, last + 1));
}

/**
 * Creates the test that the values of an item contain all texts, ignoring case. The values are those that the list
 * shows; if it shows ids alone, those of the stored item.
 *
 * @param fields - the names of the properties to search, at any depth
 */
export function createSearch(texts: readonly string[], fields: BehaviourValues['search-fields']): ItemTest {
  const wanted = texts.map((text) => text.toLowerCase());
  return ({ shown, kept }) => {
    const found: string[] = [];
    const collect = (value: JsonValue, isField: boolean): void => {
      if (Array.isArray(value)) value.forEach((each) => collect(each, isField));
      else if (isJsonObject(value)) {
        for (const [name, member] of Object.entries(value)) {
          collect(member, isField || (fields !== 'all' && fields.includes(name)));
        }
      } else if (isField) found.push(toText(value));
    };
    // A list of ids alone would find nothing by the texts of its items.
    collect(isJsonObject(shown) ? shown : kept, fields === 'all');
    // A NUL separates the values.
    const all = found.join('\0').toLowerCase();
    return wanted.every((text) => all.includes(text));
  };
}
