import { sampleValues } from '../../arbitrary/plain-body.ts';
import type { Operation } from '../../contract/contract.ts';
import { findReadable } from '../../http/codecs/registry.ts';
import { memberAt } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { acceptsValue, type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { memberSchema } from '../answer/representation.ts';
import { plainMember } from '../answer/shown-item.ts';
import { lengthsOf } from '../../schema/value/text.ts';
import { generateValue, typeOf } from '../../schema/value/sample-value.ts';
import { mergeSchema } from '../../schema/merge.ts';
import { createEventLoopYield } from '../clock.ts';
import { createKeyMaker, type MakeKey } from '../handlers/stored-form.ts';
import { type StoreKey, toStoreKey } from '../store/store.ts';
import type { Collection } from './collections.ts';
import { examplesOf } from './example-rows.ts';
import { type TakenRow, without } from './take-row.ts';

/** The maximum number of bodies that are generated together for missing rows. */
const mostBodies = 2000;
/** After this number of consecutive unusable rows, bodies are generated. */
const mostFailures = 50;
/** The number of ids that are generated from a schema without a form that counts. */
const mostDrawn = 200;

/**
 * Generates rows of a collection; fewer if no more distinct ones are found.
 *
 * @param present - the rows that the collection has
 */
type MakeRows = (
  collection: Collection,
  present: readonly JsonObject[],
  count: number,
) => Promise<readonly JsonObject[]>;

/** The generated rows of a collection. Each is valid; no two have the same id or the same unique value. */
class Rows {
  readonly made: JsonObject[] = [];
  readonly #collection: Collection;
  readonly #ids: Ids;
  readonly #present: number;
  readonly #keys = new Set<StoreKey>();
  readonly #claims = new Set<string>();
  readonly #known = new WeakMap<JsonObject, TakenRow | string>();

  constructor(collection: Collection, present: readonly JsonObject[], ids: Ids) {
    this.#collection = collection;
    this.#ids = ids;
    this.#present = present.length;
    present.forEach((row) => this.#isNew(row));
  }

  /** The number of the next row, from 1. */
  get next(): number {
    return this.#present + this.made.length + 1;
  }

  /** Caches the check of a row, which is repeated several times. */
  #take(row: JsonObject): TakenRow | string {
    const taken = this.#known.get(row) ?? this.#collection.take(row);
    this.#known.set(row, taken);
    return taken;
  }

  readonly isValid = (row: JsonObject): boolean => typeof this.#take(row) !== 'string';

  #isNew(row: JsonObject): boolean {
    const taken = this.#take(row);
    if (typeof taken === 'string') return false;
    const key = taken.key === undefined ? undefined : toStoreKey(taken.key);
    const { storedForm, complete } = this.#collection;
    const { claims } = storedForm.toStored(complete(taken, 0), key ?? '');
    if ((key !== undefined && this.#keys.has(key)) || claims.some((claim) => this.#claims.has(claim)))
      return false;
    if (key !== undefined) this.#keys.add(key);
    for (const claim of claims) this.#claims.add(claim);
    return true;
  }

  /** Adds the first of several forms of a row that can be added. */
  add(forms: Iterable<JsonObject>): boolean {
    const { property, fits } = this.#ids;
    for (const row of forms) {
      if ((property !== undefined && !fits(row[property] ?? null)) || !this.#isNew(row)) continue;
      this.made.push(row);
      return true;
    }
    return false;
  }

  /** Returns the row with the id for the next row, or with a later id that no row has. */
  withId(row: JsonObject): JsonObject {
    const { property, makers, fits, ofService } = this.#ids;
    if (property === undefined) return ofService === undefined ? row : without(row, ofService);
    const others = without(row, property);
    for (const makeKey of makers) {
      let number = this.next;
      while (number < this.next + this.#present && this.#keys.has(toStoreKey(makeKey(number)))) number += 1;
      const made = makeKey(number);
      const keyed = { ...withMember({}, [property, made]), ...others };
      if (!fits(made) || !this.isValid(keyed)) continue;
      // The rows after it get ids of the same form.
      this.#ids.makers = [makeKey, ...makers.filter((each) => each !== makeKey)];
      return keyed;
    }
    return row;
  }
}

/**
 * Prepares the generation of rows that creates of a resource accept, or else replaces, or else responses show. Examples
 * of the request body come first if the collection is empty. Other values are document examples if any, else match
 * their names, or read `Reading 3`. Ids count from 1, or match the path parameter of an item that a PUT creates.
 *
 * @param form - one of the collections of the resource
 * @param operations - all operations on the resource
 * @param how.seed - the same seed generates the same rows, on the same day
 * @param how.clock - generated times are near this time, in milliseconds since 1970
 */
export async function prepareRowMaker(
  form: Collection,
  operations: readonly Operation[],
  how: { readonly seed: number; readonly clock: () => number },
): Promise<MakeRows> {
  const { key, sent, pathKey } = form;
  const examples = readExamples(form);
  const ids = prepareIds(form, operations, how.seed);
  const own = key.kind === 'none' ? pathKey : key.property;
  const generate = await prepareGenerator(form, how);
  const sentNames = new Set(schemaProperties(sent?.schema ?? true).keys());
  const generateShown =
    sent === undefined ? undefined : await prepareGenerator({ ...form, sent: undefined }, how);
  const bodiesOf = prepareBodies(form, how.seed);
  let isOfUse = true;

  /** Returns the changes to the members of a row, except its id. */
  const changesTo = (row: JsonObject | undefined, isWanted: (name: string) => boolean): readonly Change[] =>
    Object.entries(row ?? {}).filter(([name]) => name !== own && isWanted(name));

  return async (collection, present, count) => {
    const { name } = collection;
    const rows = new Rows(collection, present, ids);
    const yieldToEventLoop = createEventLoopYield(100);
    for (const example of present.length === 0 ? examples.whole.slice(0, count) : []) {
      rows.add([rows.withId(example)]);
    }
    const before = rows.made.length;
    let failures = isOfUse ? 0 : mostFailures;
    for (let tries = 0; rows.made.length < count && failures < mostFailures; tries += 1) {
      const row = generate(name, tries, rows.next);
      failures = row !== undefined && rows.add(formsOf(row, rows, examples)) ? 0 : failures + 1;
      await yieldToEventLoop();
    }
    isOfUse &&= rows.made.length > before || count <= before;
    let found = -1;
    for (let round = 0; rows.made.length < count && rows.made.length !== found; round += 1) {
      found = rows.made.length;
      for (const body of bodiesOf(round, count)) {
        if (rows.made.length >= count) break;
        const changes = changesTo(generate(name, rows.next, rows.next), (each) => Object.hasOwn(body, each));
        rows.add(formsOf(withChanges(body, changes, rows.isValid), rows, examples));
        await yieldToEventLoop();
      }
    }
    // Members that only responses have are added: a row shows as much as a sample of the response.
    return rows.made.map((row, index) => {
      const number = present.length + index + 1;
      const isOfService = (each: string): boolean => !sentNames.has(each) && !Object.hasOwn(row, each);
      return withChanges(row, changesTo(generateShown?.(name, number, number), isOfService), rows.isValid);
    });
  };
}

/** Prepares generated bodies as rows; each round has different ones. */
function prepareBodies(
  { sent, shown, isPlain }: Collection,
  seed: number,
): (round: number, count: number) => readonly JsonObject[] {
  const rounds: (readonly JsonValue[])[] = [];
  return (round, count) => {
    const asked = { schema: sent ?? shown, seed: seed + round, count: Math.min(mostBodies, count + 10) };
    rounds[round] ??= sampleValues(asked);
    return isPlain
      ? rounds[round].map((body) => ({ [plainMember]: body }))
      : rounds[round].filter(isJsonObject);
  };
}

/** Yields the forms of a row: with an id and examples of its properties, with an id, and unchanged. */
function* formsOf(row: JsonObject, rows: Rows, { byProperty }: Examples): Generator<JsonObject> {
  const keyed = rows.withId(row);
  const changes = byProperty.flatMap(([name, values]): readonly Change[] => {
    // A single example belongs to a single item.
    const value = values.length === 1 && rows.next > 1 ? undefined : values[(rows.next - 1) % values.length];
    return value === undefined || !Object.hasOwn(keyed, name) ? [] : [[name, value]];
  });
  const example = withChanges(keyed, changes, rows.isValid);
  // An example may have replaced the id.
  yield rows.withId(example);
  yield keyed;
  yield row;
}

/** The ids of rows. */
interface Ids {
  /** The property of a row that contains its id; undefined if the service generates it. */
  readonly property: string | undefined;
  /** The property that the service sets. */
  readonly ofService: string | undefined;
  /** Functions that generate an id, the most likely first. */
  makers: readonly MakeKey[];
  /** Returns whether a path can contain it. */
  readonly fits: (key: JsonValue) => boolean;
}

/** Prepares the ids that a row must have: those that a client would send, or use in a path. */
function prepareIds(
  { key, sent, shown, pathKey, operation, resource }: Collection,
  operations: readonly Operation[],
  seed: number,
): Ids {
  const ofService = key.kind === 'server' ? key.property : undefined;
  // If no client sends an id, it is only visible in responses, which may require it.
  let property = pathKey;
  if (key.kind !== 'none') property = key.kind === 'client' || sent === undefined ? key.property : undefined;
  if (property === undefined) return { property, ofService, makers: [], fits: () => true };
  const parameter = operations
    .flatMap(({ parameters }) => parameters)
    .find((each) => each.in === 'path' && each.name === resource.parameter);
  const bySchema = (schema: CompiledSchema | undefined, name: string): readonly MakeKey[] => [
    countFrom(schema?.schema ?? true, name),
    String,
    createKeyMaker(name, schema === undefined ? [] : [schema]),
  ];
  if (operation.kind.kind === 'create' || parameter?.schema === undefined)
    return { property, ofService, makers: bySchema(sent ?? shown, property), fits: () => true };
  const { schema: compiled } = parameter;
  const { schema, pointer } = compiled;
  const { $defs = {}, enum: listed } = isJsonObject(schema) ? schema : {};
  const named = [...examplesOf(schema), ...(Array.isArray(listed) ? listed : [])];
  const isValid = (value: JsonValue): boolean => acceptsValue(compiled, value);
  const inObject = (key: JsonSchema): CompiledSchema =>
    compileSchema({ schema: { type: 'object', required: ['key'], properties: { key }, $defs }, pointer });
  const drawn = distinctKeys(sampleValues({ schema: inObject(schema), seed, count: mostDrawn }));
  // Counting requires an example of a pattern.
  const like = drawn[0] === undefined || !isJsonObject(schema) ? schema : { examples: [drawn[0]], ...schema };
  const listedAt =
    (values: readonly JsonValue[]): MakeKey =>
    (number) =>
      values[number - 1] ?? null;
  return {
    property,
    ofService,
    makers: [listedAt(named), ...bySchema(inObject(like), 'key'), listedAt(drawn)],
    // In a path, 7 and "7" are the same segment.
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

/** Counts in steps of `multipleOf` from the first number that `minimum` permits. */
function countFrom(schema: JsonSchema, property: string): MakeKey {
  const own = mergeSchema(
    isJsonObject(schema) ? schema : {},
    schemaProperties(schema).get(property)?.schema ?? true,
  );
  const { minimum, exclusiveMinimum, multipleOf } = own;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const least = typeof minimum === 'number' ? Math.ceil(minimum / step) - 1 : 0;
  const above = typeof exclusiveMinimum === 'number' ? Math.floor(exclusiveMinimum / step) : 0;
  const start = Math.max(least, above, 0);
  return (number) => (start + number) * step;
}

type Examples = ReturnType<typeof readExamples>;

/** Returns the examples of a client's input: whole rows of the media type and its schema, and values of properties. */
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

/** Prepares the generation of whole rows. A text with an unknown name is its name and the number of the row. */
async function prepareGenerator(
  { resource, sent, shown }: Collection,
  { seed, clock }: { readonly seed: number; readonly clock: () => number },
): Promise<(path: string, tries: number, number: number) => JsonObject | undefined> {
  const { loadWords, toWords } = await import('../../schema/value/words.ts');
  const valueFromNames = await loadWords(clock);
  const schema = (sent ?? shown)?.schema ?? true;
  const names = resource.collection.split('/').filter((part) => part !== '' && !part.includes('{'));
  return (path, tries, number) => {
    const row = generateValue(schema, {
      names,
      seed: `${seed} ${path} ${tries}`,
      without: sent === undefined ? 'writeOnly' : 'readOnly',
      ignoresExamples: number > 1,
      valueFromNames(placed, property, place) {
        const made = valueFromNames(placed, property, place);
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

function withMember(value: JsonObject, [name, next]: Change): JsonObject {
  const copy = { ...value };
  setOwn(copy, name, next);
  return copy;
}

/** Applies all changes or, if the result is invalid, each change that keeps the value valid. */
function withChanges(
  value: JsonObject,
  changes: readonly Change[],
  isValid: (value: JsonObject) => boolean,
): JsonObject {
  const all = changes.reduce(withMember, value);
  if (isValid(all)) return all;
  return changes.reduce((into, change) => {
    const changed = withMember(into, change);
    return isValid(changed) ? changed : into;
  }, value);
}
