import { sampleBodies } from '../../arbitrary/plain-body.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { createKeyMaker, type MakeKey, makeUuid } from '../handlers/stored-form.ts';
import { memberSchema } from '../answer/representation.ts';
import { lengthsOf, makeUpValue, mergeSchema, setOwn, typeOf } from '../answer/sample-value.ts';
import { createEventLoopYield } from '../clock.ts';
import { toStoreKey } from '../store/store.ts';
import type { Collection, Collections } from './collections.ts';
import { examplesOf } from './example-rows.ts';
import type { StateRows } from './rows.ts';
import { type TakenRow, without } from './take-row.ts';

/**
 * Makes up rows that creates would accept, for each collection without parameters that has none given. The same seed
 * gives the same rows, on the same day. Requests are let in now and then. Values are examples of the document where it has any, else look like
 * what they are called, or read `Reading 3`; ids count from 1.
 */
export async function generateRows(
  collections: Collections,
  given: StateRows,
  how: RowsToMake,
): Promise<StateRows> {
  const rows: Record<string, readonly JsonObject[]> = {};
  for (const name of collections.names) {
    const collection = Object.hasOwn(given, name) ? undefined : collections.find(name);
    if (collection !== undefined && typeof collection !== 'string') {
      rows[name] = await generateFor(collection, how);
    }
  }
  return rows;
}

interface RowsToMake {
  /** Rows of each collection; there are fewer where there are no more that are not alike. */
  readonly count: number;
  readonly seed: number;
  /** What made-up times are near to. */
  readonly clock: () => number;
}

/** More bodies than these are not looked through for one more row that is not like those before. */
const mostTries = 2000;
/** After so many made-up rows that were of no use, bodies are generated. */
const mostFailures = 50;
/** No id is made any more after so many rows in a row that accepted none. */
const mostUnfitKeys = 50;

async function generateFor(
  collection: Collection,
  { count, seed, clock }: RowsToMake,
): Promise<readonly JsonObject[]> {
  const { whole, byProperty } = readExamples(collection);
  const makers = keyMakers(collection);
  const { key } = collection;
  const make = await createRowMaker(collection, seed, clock);
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

  /** Puts made-up values in place of generated ones, but for the key. */
  function withMade(body: JsonObject, number: number): JsonObject {
    const own = key.kind === 'none' ? undefined : key.property;
    const made = Object.entries(make(number, number) ?? {}).filter(
      ([name]) => name !== own && Object.hasOwn(body, name),
    );
    return withChanges(
      body,
      made.map(([name, value]): Change => [[name], value]),
      isTaken,
    );
  }

  /** What the row may be, the most readable first. */
  function* variants(body: JsonObject, number: number): Generator<JsonObject> {
    const keyed = withKey(body, number);
    const example = withExamples(keyed, number);
    // What was put in may stand where the key was.
    const isKeyed =
      key.kind === 'client' && example[key.property] === keyed[key.property] && isTaken(example);
    yield isKeyed ? example : withKey(example, number);
    yield keyed;
    yield body;
  }

  function addFirst(candidates: Iterable<JsonObject>): boolean {
    for (const row of candidates) {
      if (isNew(row)) {
        rows.push(row);
        return true;
      }
    }
    return false;
  }

  for (const example of whole.slice(0, count)) {
    addFirst([withKey(example, rows.length + 1)]);
  }
  for (let tries = 0, failures = 0; rows.length < count && failures < mostFailures; tries += 1) {
    const row = make(tries, rows.length + 1);
    failures = row !== undefined && addFirst(variants(row, rows.length + 1)) ? 0 : failures + 1;
    await breathe();
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
        addFirst(isJsonObject(body) ? variants(withMade(body, rows.length + 1), rows.length + 1) : []);
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

/** Prepares the making up of rows; a text whose name says nothing is its name and the number of the row. */
async function createRowMaker(
  { name: path, operation }: Collection,
  seed: number,
  clock: () => number,
): Promise<(tries: number, number: number) => JsonObject | undefined> {
  const { loadMakeUp } = await import('../answer/made-up.ts');
  const makeUp = await loadMakeUp(clock);
  const whole = operation.requestBody?.media.find(({ isJson }) => isJson)?.schema?.schema ?? true;
  const schema = memberSchema(whole, 'request' in operation.kind ? operation.kind.request : []);
  const names = path.split('/').filter((part) => part !== '');
  return (tries, number) => {
    const row = makeUpValue(schema, {
      names,
      seed: `${seed} ${path} ${tries}`,
      without: 'readOnly',
      makeUp(placed, property, place) {
        const made = makeUp(placed, property, place);
        const isPlainText =
          typeOf(property) === 'string' && !('format' in property) && !('pattern' in property);
        const text = `${toWords(placed.at(-1) ?? '')} ${number}`.trim();
        return made ?? (isPlainText && text.length <= lengthsOf(property).longest ? text : undefined);
      },
    });
    return isJsonObject(row) ? row : undefined;
  };
}

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
