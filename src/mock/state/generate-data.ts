import { sampleBodies } from '../../arbitrary/plain-body.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { createKeyMaker, type MakeKey, makeUuid } from '../handlers/stored-form.ts';
import { mergeSchema, setOwn } from '../answer/sample-value.ts';
import { createBreather } from '../clock.ts';
import { toStoreKey } from '../store/store.ts';
import type { Collection, Collections, TakenRow } from './collections.ts';
import type { StateRows } from './rows.ts';

/** Counts in the steps of a schema, from its lower bound. */
function countFrom(schema: JsonSchema, property: string): MakeKey {
  const own = mergeSchema(
    isJsonObject(schema) ? schema : {},
    schemaProperties(schema).get(property)?.schema ?? true,
  );
  const { minimum, exclusiveMinimum, multipleOf } = own;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const bounds = [minimum, exclusiveMinimum].filter((bound) => typeof bound === 'number');
  const start = Math.floor(Math.max(...bounds, 0) / step);
  return (number) => (start + number) * step;
}

/** Ways to make the keys that a client would send, likeliest first; none where it sends none. */
function keyMakers({ key, operation }: Pick<Collection, 'key' | 'operation'>): readonly MakeKey[] {
  const schema = operation.requestBody?.media.find(({ isJson }) => isJson)?.schema;
  return key.kind === 'client'
    ? [
        (number) => number,
        countFrom(schema?.schema ?? true, key.property),
        String,
        makeUuid,
        createKeyMaker(key.property, schema),
      ]
    : [];
}

/** What the document shows of the resources of a collection. */
interface RowExamples {
  /** Whole bodies. */
  readonly whole: readonly JsonObject[];
  /** Values of single properties. */
  readonly byProperty: ReadonlyMap<string, readonly JsonValue[]>;
}

function examplesOf(schema: JsonSchema): readonly JsonValue[] {
  if (!isJsonObject(schema)) return [];
  const { example, examples } = schema;
  return [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])];
}

/** Reads the examples of a create: of its body, of the schema of that, and of its properties. */
function readExamples({ operation }: Pick<Collection, 'operation'>): RowExamples {
  const media = operation.requestBody?.media.find(({ isJson }) => isJson);
  const schema = media?.schema?.schema ?? true;
  const whole = [...(media?.examples ?? []), ...examplesOf(schema)].filter(isJsonObject);
  const byProperty = new Map<string, readonly JsonValue[]>();
  for (const [name, property] of schemaProperties(schema)) {
    const values = examplesOf(property.schema);
    if (values.length > 0) {
      byProperty.set(name, values);
    }
  }
  return { whole, byProperty };
}

/** Texts that were made up: the generators make those of letters alone. */
const madeUp = /^[A-Za-z]{3,20}$/u;

/** `customerName` and `customer_name` read `Customer name`. */
function toWords(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Copies an object with another value in one place. */
function replaceAt(value: JsonObject, path: readonly string[], text: string): JsonObject {
  const [name = '', ...rest] = path;
  const copy = { ...value };
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  setOwn(copy, name, rest.length > 0 && isJsonObject(member) ? replaceAt(member, rest, text) : text);
  return copy;
}

function listTexts(value: JsonValue, path: readonly string[]): readonly (readonly string[])[] {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) => listTexts(member, [...path, name]));
  }
  return typeof value === 'string' && path.length > 0 && madeUp.test(value) ? [path] : [];
}

/**
 * Puts texts that a person can tell apart, `Name 3`, in place of made up ones, wherever the value stays valid.
 *
 * @param input.number - which of many values it is
 */
function withReadableTexts(input: {
  readonly value: JsonObject;
  readonly number: number;
  readonly isValid: (value: JsonObject) => boolean;
}): JsonObject {
  const { value, number, isValid } = input;
  const paths = listTexts(value, []);
  const put = (into: JsonObject, path: readonly string[]): JsonObject =>
    replaceAt(into, path, `${toWords(path.at(-1) ?? '')} ${number}`.trim());
  const all = paths.reduce(put, value);
  if (isValid(all)) return all;
  return paths.reduce((into, path) => {
    const next = put(into, path);
    return isValid(next) ? next : into;
  }, value);
}

/** More bodies than these are not looked through for one more row that is not like those before. */
const mostTries = 2000;
/** No key is made any more after so many rows in a row that took none. */
const mostUnfitKeys = 50;

function withMember(value: JsonObject, name: string, member: JsonValue): JsonObject {
  const copy = { ...value };
  setOwn(copy, name, member);
  return copy;
}

/** Rows of one collection: distinct keys, unique values unique. Fewer than asked for where there are no more. */
async function generateFor(
  collection: Collection,
  count: number,
  seed: number,
): Promise<readonly JsonObject[]> {
  const { whole, byProperty } = readExamples(collection);
  const makers = keyMakers(collection);
  const { key } = collection;
  const rows: JsonObject[] = [];
  const keys = new Set<string | number>();
  const claims = new Set<string>();
  const known = new WeakMap<JsonObject, TakenRow | string>();
  const breathe = createBreather(100);
  /** The kind of key that the row before had. */
  let [likeliest] = makers;
  let unfitKeys = 0;

  /** Rows are asked about again and again on their way. */
  function take(row: JsonObject): TakenRow | string {
    const taken = known.get(row) ?? collection.take(row);
    known.set(row, taken);
    return taken;
  }

  function isTaken(row: JsonObject): boolean {
    return typeof take(row) !== 'string';
  }

  /** The row, where it is valid and like none before it. */
  function isNew(row: JsonObject): boolean {
    const taken = take(row);
    if (typeof taken === 'string') return false;
    const storeKey = taken.key === undefined ? undefined : toStoreKey(taken.key);
    const held = collection.keeping.toStored(taken, storeKey ?? '').claims;
    if ((storeKey !== undefined && keys.has(storeKey)) || held.some((claim) => claims.has(claim))) {
      return false;
    }
    if (storeKey !== undefined) {
      keys.add(storeKey);
    }
    for (const claim of held) {
      claims.add(claim);
    }
    return true;
  }

  function withExamples(row: JsonObject, number: number): JsonObject {
    const members = [...byProperty].flatMap(([name, values]): readonly (readonly [string, JsonValue])[] => {
      const value = values[(number - 1) % values.length];
      return value === undefined || !Object.hasOwn(row, name) ? [] : [[name, value]];
    });
    const all = members.reduce((into, [name, value]) => withMember(into, name, value), row);
    if (isTaken(all)) return all;
    return members.reduce((into, [name, value]) => {
      const next = withMember(into, name, value);
      return isTaken(next) ? next : into;
    }, row);
  }

  function withKey(row: JsonObject, number: number): JsonObject {
    if (key.kind === 'client' && unfitKeys > mostUnfitKeys) return row;
    if (key.kind === 'client') {
      const others = withoutMember(row, key.property);
      for (const make of new Set(likeliest === undefined ? makers : [likeliest, ...makers])) {
        const keyed = { ...withMember({}, key.property, make(number)), ...others };
        if (isTaken(keyed)) {
          likeliest = make;
          unfitKeys = 0;
          return keyed;
        }
      }
      // Else it may be that something else of the row is not.
      unfitKeys += isTaken(row) ? 1 : 0;
      return row;
    }
    // Whatever stands there, the service makes it.
    return key.kind === 'server' ? withoutMember(row, key.property) : row;
  }

  /** What the row may be, the most readable first. */
  function* variants(body: JsonObject, number: number): Generator<JsonObject> {
    const keyed = withKey(body, number);
    const readable = withReadableTexts({ value: keyed, number, isValid: isTaken });
    // What was put in may stand where the key was.
    const sameKey = (row: JsonObject): JsonObject =>
      key.kind === 'client' && row[key.property] === keyed[key.property] && isTaken(row)
        ? row
        : withKey(row, number);
    yield sameKey(withExamples(readable, number));
    yield sameKey(readable);
    yield keyed;
    yield body;
  }

  function add(body: JsonValue): void {
    if (!isJsonObject(body)) return;
    for (const row of variants(body, rows.length + 1)) {
      if (isNew(row)) {
        rows.push(row);
        return;
      }
    }
  }

  for (const example of whole.slice(0, count)) {
    const row = withKey(example, rows.length + 1);
    if (isNew(row)) {
      rows.push(row);
    }
  }
  for (let round = 0; rows.length < count; round += 1) {
    const before = rows.length;
    const bodies = sampleBodies({
      operation: collection.operation,
      seed: seed + round,
      count: Math.min(mostTries, count - rows.length + 10),
    });
    for (const body of bodies) {
      if (rows.length < count) {
        add(body);
        await breathe();
      }
    }
    if (rows.length === before) break;
  }
  return rows;
}

function withoutMember(row: JsonObject, name: string): JsonObject {
  const { [name]: _left, ...rest } = row;
  return rest;
}

/**
 * Makes up rows that creates would take, for each collection without parameters that has none given. The same seed
 * gives the same rows. Requests are let in now and then. Texts are examples of the document where it has any, else such as `Name 3`; keys count from 1.
 *
 * @param input.count - rows of each collection; there are fewer where there are no more that are not alike
 */
export async function generateRows(input: {
  readonly collections: Collections;
  readonly given: StateRows;
  readonly count: number;
  readonly seed: number;
}): Promise<StateRows> {
  const { collections, given, count, seed } = input;
  const rows: Record<string, readonly JsonObject[]> = {};
  for (const name of collections.names) {
    const collection = Object.hasOwn(given, name) ? undefined : collections.find(name);
    if (collection !== undefined && typeof collection !== 'string') {
      rows[name] = await generateFor(collection, count, seed);
    }
  }
  return rows;
}
