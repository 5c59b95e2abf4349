import { sampleValues } from '../../arbitrary/plain-body.ts';
import type { Operation } from '../../contract/contract.ts';
import { findReadable } from '../../http/codecs/registry.ts';
import { memberAt } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { memberSchema } from '../answer/representation.ts';
import { plainMember } from '../answer/shown-item.ts';
import { lengthsOf } from '../../schema/value/text.ts';
import { makeUpValue, typeOf } from '../../schema/value/sample-value.ts';
import { mergeSchema } from '../../schema/merge.ts';
import { createEventLoopYield } from '../clock.ts';
import { createKeyMaker, type MakeKey, makeUuid } from '../handlers/stored-form.ts';
import { type StoreKey, toStoreKey } from '../store/store.ts';
import type { Collection } from './collections.ts';
import { examplesOf } from './example-rows.ts';
import { type TakenRow, without } from './take-row.ts';

/** More bodies than these are not looked through for one more row that is not like those before. */
const mostTries = 2000;
/** After so many made-up rows that were of no use, bodies are generated. */
const mostFailures = 50;
/** No id is made any more after so many rows in a row that accepted none. */
const mostUnfitKeys = 50;
/** So many keys are drawn of a schema in which none can be counted. */
const mostDrawn = 200;

/**
 * Makes up rows of a collection, fewer where there are no more that are not alike.
 *
 * @param present - the rows that are there, which they come behind
 */
type MakeRows = (
  collection: Collection,
  present: readonly JsonObject[],
  count: number,
) => Promise<readonly JsonObject[]>;

/**
 * Prepares the making up of rows of a resource: creates would accept them, or where there are none, replaces, or responses
 * show them. Examples of the request body come first where no rows are there; other values are examples of the document
 * where it has any, else look like what they are called, or read `Reading 3`; ids count from 1, or are like the parameter
 * of the path of an item where that creates it.
 *
 * @param form - one of the collections of the resource
 * @param operations - those of the resource
 * @param how.seed - the same one makes the same rows, on the same day
 * @param how.clock - what made-up times are near to, in milliseconds since 1970
 */
export async function prepareRowMaker(
  form: Collection,
  operations: readonly Operation[],
  how: { readonly seed: number; readonly clock: () => number },
): Promise<MakeRows> {
  const { key, sent, pathKey } = form;
  const { seed } = how;
  const { whole, byProperty } = readExamples(form);
  const { property: keyProperty, makers, fits } = prepareKeys(form, operations, seed);
  const own = key.kind === 'none' ? pathKey : key.property;
  const make = await prepareMakeUp(form, how);
  const sentNames = new Set(schemaProperties(sent?.schema ?? true).keys());
  const makeShown = sent === undefined ? undefined : await prepareMakeUp({ ...form, sent: undefined }, how);
  const rounds: (readonly JsonValue[])[] = [];
  let [likeliest] = makers;
  let isMakeUpOfUse = true;

  function bodiesOf(round: number, count: number): readonly JsonValue[] {
    const schema = sent ?? form.shown;
    rounds[round] ??= sampleValues({ schema, seed: seed + round, count: Math.min(mostTries, count + 10) });
    return rounds[round];
  }

  return async (collection, present, count) => {
    const rows: JsonObject[] = [];
    const keys = new Set<StoreKey>();
    const claims = new Set<string>();
    const known = new WeakMap<JsonObject, TakenRow | string>();
    const yieldToEventLoop = createEventLoopYield(100);
    let unfitKeys = 0;

    const nextNumber = (): number => present.length + rows.length + 1;

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
      const held = collection.storedForm.toStored(collection.complete(taken, 0), storeKey ?? '').claims;
      if ((storeKey !== undefined && keys.has(storeKey)) || held.some((claim) => claims.has(claim))) {
        return false;
      }
      if (storeKey !== undefined) keys.add(storeKey);
      for (const claim of held) claims.add(claim);
      return true;
    }

    function withExamples(row: JsonObject, number: number): JsonObject {
      const members = byProperty.flatMap(([name, values]): readonly Change[] => {
        // A single example is that of a single item.
        const value = values.length === 1 && number > 1 ? undefined : values[(number - 1) % values.length];
        return value === undefined || !Object.hasOwn(row, name) ? [] : [[name, value]];
      });
      return withChanges(row, members, isTaken);
    }

    /** The key of a number, or of the next one whose key is free: rows that are there may have any. */
    function makeFreeKey(makeKey: MakeKey, number: number): JsonValue {
      for (let next = number; next < number + present.length; next += 1) {
        const made = makeKey(next);
        if (!keys.has(toStoreKey(made))) return made;
      }
      return makeKey(number + present.length);
    }

    function withKey(row: JsonObject, number: number): JsonObject {
      if (keyProperty === undefined) {
        // Whatever stands there, the service makes it.
        return key.kind === 'server' ? without(row, key.property) : row;
      }
      if (unfitKeys > mostUnfitKeys) return row;
      const others = without(row, keyProperty);
      for (const makeKey of new Set(likeliest === undefined ? makers : [likeliest, ...makers])) {
        const made = makeFreeKey(makeKey, number);
        const keyed = { ...withMember({}, keyProperty, made), ...others };
        if (fits(made) && isTaken(keyed)) {
          likeliest = makeKey;
          unfitKeys = 0;
          return keyed;
        }
      }
      // Else it may be that something else of the row is not.
      unfitKeys += isTaken(row) ? 1 : 0;
      return row;
    }

    /** Puts made-up values in place of generated ones, but for the key. */
    function withMade(body: JsonObject, number: number): JsonObject {
      const made = Object.entries(make(collection.name, number, number) ?? {});
      const changes = made.filter(([name]) => name !== own && Object.hasOwn(body, name));
      return withChanges(body, changes, isTaken);
    }

    /** What the row may be, the most readable first. */
    function* variants(body: JsonObject, number: number): Generator<JsonObject> {
      const keyed = withKey(body, number);
      const example = withExamples(keyed, number);
      // What was put in may stand where the key was.
      const isKeyed =
        keyProperty !== undefined && example[keyProperty] === keyed[keyProperty] && isTaken(example);
      yield isKeyed ? example : withKey(example, number);
      yield keyed;
      yield body;
    }

    /** Adds what only responses have, so that a row shows as much as a sample of the response. */
    function withShown(row: JsonObject, number: number): JsonObject {
      const made = Object.entries(makeShown?.(collection.name, number, number) ?? {});
      const isOfService = (name: string): boolean => !sentNames.has(name) && !Object.hasOwn(row, name);
      return withChanges(
        row,
        made.filter(([name]) => name !== own && isOfService(name)),
        isTaken,
      );
    }

    function addFirst(candidates: Iterable<JsonObject>): boolean {
      for (const row of candidates) {
        if ((keyProperty === undefined || fits(row[keyProperty] ?? null)) && isNew(row)) {
          rows.push(row);
          return true;
        }
      }
      return false;
    }

    present.forEach(isNew);
    for (const example of present.length === 0 ? whole.slice(0, count) : []) {
      addFirst([withKey(example, nextNumber())]);
    }
    const before = rows.length;
    let failures = isMakeUpOfUse ? 0 : mostFailures;
    for (let tries = 0; rows.length < count && failures < mostFailures; tries += 1) {
      const row = make(collection.name, tries, nextNumber());
      failures = row !== undefined && addFirst(variants(row, nextNumber())) ? 0 : failures + 1;
      await yieldToEventLoop();
    }
    isMakeUpOfUse &&= rows.length > before || count <= before;
    for (let round = 0; rows.length < count; round += 1) {
      const found = rows.length;
      for (const body of bodiesOf(round, count)) {
        if (rows.length < count && (form.isPlain || isJsonObject(body))) {
          const row = form.isPlain || !isJsonObject(body) ? { [plainMember]: body } : body;
          addFirst(variants(withMade(row, nextNumber()), nextNumber()));
          await yieldToEventLoop();
        }
      }
      if (rows.length === found) break;
    }
    return rows.map((row, index) => withShown(row, present.length + index + 1));
  };
}

interface Keys {
  /** The property in which a row brings its key; undefined where the service makes it. */
  readonly property: string | undefined;
  /** Ways to make it, likeliest first. */
  readonly makers: readonly MakeKey[];
  /** Whether a path can name it. */
  readonly fits: (key: JsonValue) => boolean;
}

/** How the ids are made that a row must bring: those that a client would send, or put into a path. */
function prepareKeys(
  { key, sent, shown, pathKey, operation, resource }: Collection,
  operations: readonly Operation[],
  seed: number,
): Keys {
  // What no client sends is seen in answers alone, which may require it.
  const property =
    key.kind === 'none' ? pathKey : key.kind === 'client' || sent === undefined ? key.property : undefined;
  if (property === undefined) return { property, makers: [], fits: () => true };
  const parameter = operations
    .flatMap(({ parameters }) => parameters)
    .find((each) => each.in === 'path' && each.name === resource.parameter);
  const bySchema = (schema: CompiledSchema | undefined, name: string): readonly MakeKey[] => [
    (number) => number,
    countFrom(schema?.schema ?? true, name),
    String,
    makeUuid,
    createKeyMaker(name, schema === undefined ? [] : [schema]),
  ];
  if (operation.kind.kind === 'create' || parameter?.schema === undefined) {
    return { property, makers: bySchema(sent ?? shown, property), fits: () => true };
  }
  const { schema, pointer } = parameter.schema;
  const { $defs = {}, enum: listed } = isJsonObject(schema) ? schema : {};
  const named = [...examplesOf(schema), ...(Array.isArray(listed) ? listed : [])];
  const validate = parameter.schema.validator({ formats: 'assert', integers: 'by-value' });
  const isValid = (value: JsonValue): boolean => validate.accepts(value, false);
  const inObject = (key: JsonSchema): CompiledSchema =>
    compileSchema({ schema: { type: 'object', required: ['key'], properties: { key }, $defs }, pointer });
  const drawn = distinctKeys(sampleValues({ schema: inObject(schema), seed, count: mostDrawn }));
  // What counts takes an example of a pattern to count in.
  const like = drawn[0] === undefined || !isJsonObject(schema) ? schema : { examples: [drawn[0]], ...schema };
  return {
    property,
    makers: [
      (number) => named[number - 1] ?? null,
      ...bySchema(inObject(like), 'key'),
      (number) => drawn[number - 1] ?? null,
    ],
    // A segment of a path says "7" of 7 and of "7".
    fits: (made) =>
      made !== null &&
      made !== '' &&
      (isValid(made) ||
        (typeof made === 'number' && isValid(String(made))) ||
        (typeof made === 'string' && /^\d{1,15}$/u.test(made) && isValid(Number(made)))),
  };
}

function distinctKeys(objects: readonly JsonValue[]): readonly JsonValue[] {
  const keys = objects.map((each) => (isJsonObject(each) ? (each['key'] ?? null) : null));
  return [...new Map(keys.map((each) => [toStoreKey(each), each])).values()];
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

/** The examples of what a client sends: whole rows, of the media type and of its schema, and values of single properties. */
function readExamples({ operation, sent, shown }: Collection): {
  readonly whole: readonly JsonObject[];
  readonly byProperty: readonly (readonly [name: string, values: readonly JsonValue[]])[];
} {
  const { kind, requestBody } = operation;
  const media = findReadable(requestBody?.media);
  const path = 'request' in kind ? kind.request : [];
  const schema = (sent ?? shown)?.schema ?? true;
  const bodies = (media?.examples ?? []).flatMap((body) => memberAt(body, path) ?? []);
  return {
    whole: sent === undefined ? [] : [...bodies, ...examplesOf(schema)].filter(isJsonObject),
    byProperty: [...schemaProperties(schema).keys()].map((name) => [
      name,
      examplesOf(memberSchema(schema, [name])),
    ]),
  };
}

/** Prepares the making up of whole rows; a text whose name says nothing is its name and the number of the row. */
async function prepareMakeUp(
  { resource, sent, shown }: Collection,
  { seed, clock }: { readonly seed: number; readonly clock: () => number },
): Promise<(path: string, tries: number, number: number) => JsonObject | undefined> {
  const { loadMakeUp, toWords } = await import('../../schema/value/words.ts');
  const makeUp = await loadMakeUp(clock);
  const schema = (sent ?? shown)?.schema ?? true;
  const names = resource.collection.split('/').filter((part) => part !== '' && !part.includes('{'));
  return (path, tries, number) => {
    const row = makeUpValue(schema, {
      names,
      seed: `${seed} ${path} ${tries}`,
      without: sent === undefined ? 'writeOnly' : 'readOnly',
      ignoresExamples: number > 1,
      makeUp(placed, property, place) {
        const made = makeUp(placed, property, place);
        const isPlainText =
          typeOf(property) === 'string' && !('format' in property) && !('pattern' in property);
        const words = toWords(placed.at(-1) ?? '');
        const text = `${words.charAt(0).toUpperCase()}${words.slice(1)} ${number}`.trim();
        return made ?? (isPlainText && text.length <= lengthsOf(property).longest ? text : undefined);
      },
    });
    return isJsonObject(row) ? row : undefined;
  };
}

type Change = readonly [name: string, value: JsonValue];

function withMember(value: JsonObject, name: string, next: JsonValue): JsonObject {
  const copy = { ...value };
  setOwn(copy, name, next);
  return copy;
}

/** Makes all of the changes, or where the value does not stay valid so, each with which it does. */
function withChanges(
  value: JsonObject,
  changes: readonly Change[],
  isValid: (value: JsonObject) => boolean,
): JsonObject {
  const all = changes.reduce((into, [name, next]) => withMember(into, name, next), value);
  if (isValid(all)) return all;
  return changes.reduce((into, [name, next]) => {
    const changed = withMember(into, name, next);
    return isValid(changed) ? changed : into;
  }, value);
}
