import { sampleBodies } from '../../arbitrary/plain-body.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { createKeyMaker, type MakeKey, makeUuid } from '../handlers/stored-form.ts';
import { mergeSchema, setOwn } from '../answer/sample-value.ts';
import { createEventLoopYield } from '../clock.ts';
import { toStoreKey } from '../store/store.ts';
import type { Collection, Collections } from './collections.ts';
import type { StateRows } from './rows.ts';
import { type TakenRow, without } from './take-row.ts';

/**
 * Makes up rows that creates would accept, for each collection without parameters that has none given. The same seed
 * gives the same rows. Requests are let in now and then. Texts are examples of the document where it has any, else such as `Name 3`; ids count from 1.
 *
 * @param count - rows of each collection; there are fewer where there are no more that are not alike
 */
export async function generateRows(
  collections: Collections,
  given: StateRows,
  count: number,
  seed: number,
): Promise<StateRows> {
  const rows: Record<string, readonly JsonObject[]> = {};
  for (const name of collections.names) {
    const collection = Object.hasOwn(given, name) ? undefined : collections.find(name);
    if (collection !== undefined && typeof collection !== 'string') {
      rows[name] = await generateFor(collection, count, seed);
    }
  }
  return rows;
}

/** More bodies than these are not looked through for one more row that is not like those before. */
const mostTries = 2000;
/** No id is made any more after so many rows in a row that accepted none. */
const mostUnfitKeys = 50;

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
  const breathe = createEventLoopYield(100);
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

  function isNew(row: JsonObject): boolean {
    const taken = take(row);
    if (typeof taken === 'string') return false;
    const storeKey = taken.key === undefined ? undefined : toStoreKey(taken.key);
    const held = collection.storedForm.toStored(taken, storeKey ?? '').claims;
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
    const members = byProperty.flatMap(([name, values]): readonly Change[] => {
      const value = values[(number - 1) % values.length];
      return value === undefined || !Object.hasOwn(row, name) ? [] : [[[name], value]];
    });
    return withChanges(row, members, isTaken);
  }

  /** Puts texts that a person can tell apart, `Name 3`, in place of made up ones. */
  function withReadableTexts(row: JsonObject, number: number): JsonObject {
    const textOf = (name = ''): string => `${toWords(name)} ${number}`.trim();
    const texts = listTexts(row, []).map((path): Change => [path, textOf(path.at(-1))]);
    return withChanges(row, texts, isTaken);
  }

  function withKey(row: JsonObject, number: number): JsonObject {
    if (key.kind === 'client') {
      if (unfitKeys > mostUnfitKeys) return row;
      const others = without(row, key.property);
      for (const make of new Set(likeliest === undefined ? makers : [likeliest, ...makers])) {
        const keyed = { ...replaceAt({}, [key.property], make(number)), ...others };
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
    return key.kind === 'server' ? without(row, key.property) : row;
  }

  /** What the row may be, the most readable first. */
  function* variants(body: JsonObject, number: number): Generator<JsonObject> {
    const keyed = withKey(body, number);
    const readable = withReadableTexts(keyed, number);
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

  function addFirst(candidates: Iterable<JsonObject>): void {
    for (const row of candidates) {
      if (isNew(row)) {
        rows.push(row);
        return;
      }
    }
  }

  for (const example of whole.slice(0, count)) {
    addFirst([withKey(example, rows.length + 1)]);
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
        addFirst(isJsonObject(body) ? variants(body, rows.length + 1) : []);
        await breathe();
      }
    }
    if (rows.length === before) break;
  }
  return rows;
}

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

/** Ways to make the ids that a client would send, likeliest first; none where it sends none. */
function keyMakers({ key, operation }: Collection): readonly MakeKey[] {
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

function examplesOf(schema: JsonSchema): readonly JsonValue[] {
  if (!isJsonObject(schema)) return [];
  const { example, examples } = schema;
  return [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])];
}

/** The examples of a create: whole bodies, of the media type and of its schema, and values of single properties. */
function readExamples({ operation }: Collection): {
  readonly whole: readonly JsonObject[];
  readonly byProperty: readonly (readonly [name: string, values: readonly JsonValue[]])[];
} {
  const media = operation.requestBody?.media.find(({ isJson }) => isJson);
  const schema = media?.schema?.schema ?? true;
  return {
    whole: [...(media?.examples ?? []), ...examplesOf(schema)].filter(isJsonObject),
    byProperty: [...schemaProperties(schema)].map(([name, property]) => [name, examplesOf(property.schema)]),
  };
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

function replaceAt(value: JsonObject, path: readonly string[], next: JsonValue): JsonObject {
  const [name = '', ...rest] = path;
  const copy = { ...value };
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  setOwn(copy, name, rest.length > 0 && isJsonObject(member) ? replaceAt(member, rest, next) : next);
  return copy;
}

function listTexts(value: JsonValue, path: readonly string[]): readonly (readonly string[])[] {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) => listTexts(member, [...path, name]));
  }
  return typeof value === 'string' && path.length > 0 && madeUp.test(value) ? [path] : [];
}

type Change = readonly [path: readonly string[], value: JsonValue];

/** Makes all of the changes, or where the value does not stay valid so, each with which it does. */
function withChanges(
  value: JsonObject,
  changes: readonly Change[],
  isValid: (value: JsonObject) => boolean,
): JsonObject {
  const all = changes.reduce((into, [path, next]) => replaceAt(into, path, next), value);
  if (isValid(all)) return all;
  return changes.reduce((into, [path, next]) => {
    const changed = replaceAt(into, path, next);
    return isValid(changed) ? changed : into;
  }, value);
}
