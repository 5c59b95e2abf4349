import { sampleBodies } from '../../arbitrary/sample-bodies.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { setOwn } from '../bodies/set-own.ts';
import { createBreather } from '../create-breather.ts';
import { toStoreKey } from '../store/to-store-key.ts';
import type { Collection, Collections } from './create-collections.ts';
import { keyMakers } from './key-makers.ts';
import type { StateRows } from './mock-state.ts';
import { readExamples } from './read-examples.ts';
import type { TakenRow } from './take-row.ts';
import { withReadableTexts } from './with-readable-texts.ts';

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
    if (typeof taken === 'string') {
      return false;
    }
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
    if (isTaken(all)) {
      return all;
    }
    return members.reduce((into, [name, value]) => {
      const next = withMember(into, name, value);
      return isTaken(next) ? next : into;
    }, row);
  }

  function withKey(row: JsonObject, number: number): JsonObject {
    if (key.kind === 'client' && unfitKeys > mostUnfitKeys) {
      return row;
    }
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
    if (!isJsonObject(body)) {
      return;
    }
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
    if (rows.length === before) {
      break;
    }
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
