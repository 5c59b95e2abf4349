import { canonicalPath } from '../../http/path.ts';
import type { JsonValue } from '../../json/value.ts';
import { createEventLoopYield } from '../clock.ts';
import { shorten } from '../message.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createShallowStore } from '../store/shallow-store.ts';
import {
  type CollectionCount,
  type KeptResource,
  type Store,
  type StoreContent,
  type StoredResource,
  type StoreKey,
  toStoreKey,
} from '../store/store.ts';
import {
  type Collection,
  type Collections,
  depthOf,
  describeClaim,
  describeOrphan,
  describeOutcome,
  keepRow,
  type RowCandidate,
  takeRows,
  toStateRows,
} from './collections.ts';
import { readExampleRows } from './example-rows.ts';
import {
  type BadRow,
  DataError,
  type DataReport,
  type GivenRows,
  type Imported,
  nameRows,
  placeOfRow,
  type StateRows,
} from './rows.ts';

interface PlacedRow extends RowCandidate {
  readonly stored: StoredResource;
}

interface RowLayout {
  readonly placed: readonly PlacedRow[];
  readonly bad: readonly BadRow[];
  readonly content: StoreContent;
}

/** Removes rows whose parent item is neither among the rows nor in the store, and everything below them. */
async function takeOutOrphans(
  laidOut: Store,
  placed: readonly PlacedRow[],
  store: Pick<Store, 'get'> | undefined,
): Promise<readonly { readonly row: PlacedRow; readonly reason: string }[]> {
  const yieldToEventLoop = createEventLoopYield();
  const below = new Map<string, PlacedRow[]>();
  for (const row of placed) {
    const pause = yieldToEventLoop();
    if (pause !== undefined) await pause;
    const { name, parents } = row.collection;
    if (parents === undefined) continue;
    below.set(name, below.get(name) ?? []);
    below.get(name)?.push(row);
  }
  const orphans = [];
  for (const [, rows] of [...below].toSorted(([left], [right]) => depthOf(left) - depthOf(right))) {
    const parents = rows[0]?.collection.parents;
    const reason = parents && (await explainOrphan(parents, store ? [laidOut, store] : [laidOut]));
    if (reason === undefined) continue;
    for (const row of rows) {
      await yieldToEventLoop();
      await laidOut.delete(row.stored.collection, row.stored.key);
      orphans.push({ row, reason });
    }
  }
  return orphans;
}

/** Explains that a parent item does not exist, without a full stop; undefined if it exists. */
async function explainOrphan(
  parents: NonNullable<Collection['parents']>,
  stores: readonly Pick<Store, 'get'>[],
): Promise<string | undefined> {
  for (const store of stores) {
    for (const { collection, key } of parents) {
      if ((await store.get(collection, key)) !== undefined) return undefined;
    }
  }
  return describeOrphan(parents);
}

/** Returns rows with each parent before its children: a store rejects a child whose parent is missing. */
const parentsFirst = (rows: readonly PlacedRow[]): PlacedRow[] =>
  rows.toSorted((left, right) => depthOf(left.collection.name) - depthOf(right.collection.name));

/** Sets the last numbers: a service continues to count after the highest number that it finds. */
async function withNumbers(content: StoreContent, collections: Collections): Promise<StoreContent> {
  const yieldToEventLoop = createEventLoopYield();
  const counted = [];
  for (const kept of content.collections) {
    const collection = collections.find(kept.name);
    const counts = typeof collection !== 'string' && collection.key.kind === 'server';
    let { lastNumber } = kept;
    for (const { key } of counts ? kept.resources : []) {
      const pause = yieldToEventLoop();
      if (pause !== undefined) await pause;
      if (typeof key === 'number') lastNumber = Math.max(lastNumber, key);
    }
    counted.push({ ...kept, lastNumber });
  }
  return { collections: counted };
}

/**
 * Checks rows like the bodies of creates, and finds the id of each.
 *
 * Missing ids are generated like those of the mock, in the order of the rows, and differ from given ids: the same rows
 * always get the same ids. Yields to other requests and changes nothing that they can see.
 *
 * @param into.content - the state to import into, in place of items with the same ids; empty if omitted
 * @param into.store - another store that may contain parents of the rows
 * @param into.now - the time for values that the service generates, in milliseconds since 1970
 */
export async function layOutRows(
  rows: StateRows,
  collections: Collections,
  into: { readonly content?: StoreContent; readonly store?: Pick<Store, 'get'>; readonly now: number },
): Promise<RowLayout> {
  const { candidates, bad: refused } = await takeRows(rows, collections, into.now);
  const yieldToEventLoop = createEventLoopYield();
  const bad = [...refused];
  const placed: PlacedRow[] = [];
  const store = createShallowStore(createMemoryStore(), () => collections.operations);
  if (into.content !== undefined) await store.load(into.content);
  const firsts = new Map<string, Map<StoreKey, RowCandidate>>();
  for (const candidate of candidates) {
    await yieldToEventLoop();
    const { collection, key } = candidate;
    const known = firsts.get(collection.name) ?? new Map<StoreKey, RowCandidate>();
    firsts.set(collection.name, known);
    if (key !== undefined && !known.has(key)) known.set(key, candidate);
  }

  async function makeKey({ name, storedForm }: Collection): Promise<JsonValue> {
    for (;;) {
      const made = storedForm.makeKey(await store.nextNumber(name));
      const key = toStoreKey(made);
      const isFree = firsts.get(name)?.has(key) !== true;
      if (isFree && (await store.get(name, key)) === undefined) return made;
    }
  }

  async function toStored({ collection, taken, key }: RowCandidate): Promise<StoredResource> {
    if (key !== undefined) return collection.storedForm.toStored(taken, key);
    const made = await makeKey(collection);
    const resource = collection.storedForm.withMadeKey(taken.resource, made);
    return collection.storedForm.toStored({ ...taken, resource, text: undefined }, toStoreKey(made));
  }

  async function place(candidate: RowCandidate): Promise<string | undefined> {
    const { collection, key } = candidate;
    const first = key === undefined ? candidate : firsts.get(collection.name)?.get(key);
    if (first !== candidate && !collection.takesDuplicates) {
      return `it has the key ${shorten(String(key))} of ${placeOfRow(first?.row) ?? `row ${(first?.index ?? 0) + 1}`}`;
    }
    const own = await toStored(candidate);
    // Like a create: beside the resource with its id.
    const stored =
      first === candidate ? own : { ...own, key: `${key} ${await store.nextNumber(collection.name)}` };
    const outcome = await store.replace(stored);
    if (outcome.kind === 'claim-taken') return describeClaim(outcome.claim);
    placed.push({ ...candidate, stored });
    return undefined;
  }

  for (const candidate of candidates) {
    await yieldToEventLoop();
    const reason = await place(candidate);
    if (reason !== undefined) bad.push(toBad(candidate, reason));
  }
  const orphans = await takeOutOrphans(store, placed, into.store);
  bad.push(...orphans.map(({ row, reason }) => toBad(row, reason)));
  const gone = new Set(orphans.map(({ row }) => row));
  const order = Object.keys(rows).map((path) => canonicalPath(path));
  const orderOf = ({ collection }: BadRow): number => order.indexOf(canonicalPath(collection));
  bad.sort((left, right) => orderOf(left) - orderOf(right) || left.index - right.index);
  return {
    placed: gone.size === 0 ? placed : placed.filter((row) => !gone.has(row)),
    bad,
    content: await withNumbers(await store.dump(), collections),
  };
}

/**
 * Imports rows into a store, in place of the resources with their ids.
 *
 * All rows are checked first, while other requests are handled. Then they are imported one by one, to keep items
 * created in the meantime. If one of those items conflicts with a row, the import is undone.
 *
 * @param now - the time for values that the service generates, in milliseconds since 1970
 * @throws DataError which names each rejected row
 */
export async function mergeRows(
  store: Store,
  rows: StateRows,
  { collections, now }: { readonly collections: Collections; readonly now: number },
): Promise<Imported> {
  const { placed, bad } = await layOutRows(rows, collections, { content: await store.dump(), now });
  if (bad.length > 0) throw new DataError({ subject: nameRows(rows), rows: bad });
  const yieldToEventLoop = createEventLoopYield();
  const names = new Set<string>();
  for (const { stored } of placed) {
    await yieldToEventLoop();
    names.add(nameResource(stored));
  }
  const former = new Map<string, KeptResource>();
  // The current content: a client may have changed items since the check.
  for (const { name, resources } of (await store.dump()).collections) {
    for (const each of resources) {
      const pause = yieldToEventLoop();
      if (pause !== undefined) await pause;
      const full = nameResource({ collection: name, key: each.key });
      if (names.has(full)) former.set(full, each);
    }
  }
  let replaced = 0;
  const kept: StoredResource[] = [];
  // No pause in this loop: a reader sees all rows or none.
  for (const row of parentsFirst(placed)) {
    // Another create may have used the id in the meantime.
    const outcome = await keepRow(store, row);
    if (typeof outcome === 'string') {
      for (const resource of kept.toReversed()) {
        const { collection, key, parents } = resource;
        const present = former.get(nameResource(resource));
        await (present === undefined
          ? store.delete(collection, key)
          : store.replace({ collection, parents, ...present }));
      }
      throw new DataError({ subject: nameRows(rows), rows: [toBad(row, outcome)] });
    }
    kept.push(outcome);
    replaced += former.has(nameResource(outcome)) ? 1 : 0;
  }
  return { added: kept.length - replaced, replaced };
}

const nothing = { added: 0, present: 0, replaced: 0, removed: 0, left: [], short: [] } as const;

/** The number of rows that are written to a store concurrently. */
const batch = 500;

/** Rows, or those in the examples of the document. */
type StartRows = GivenRows | 'examples';

interface Layout extends RowLayout {
  readonly given: StartRows;
  readonly rows: StateRows;
  readonly collections: Collections;
  readonly short: DataReport['short'];
  readonly beside: Store | undefined;
}

interface StartDataInput {
  readonly store: Store;
  /** Returns the collections of the current contract. */
  readonly collections: () => Collections;
  readonly given: StartRows;
  /** The number of rows of each collection without given ones: examples and generated rows. */
  readonly count: number;
  readonly seed: number;
  /** Generated times are near this time. */
  readonly clock: () => number;
}

/** The initial data of a mock. All functions except reset() throw a DataError that names each rejected row. */
export class StartData {
  readonly #input: StartDataInput;
  readonly #store: Store;
  // The same rows always get the same times.
  readonly #now: number;
  #given: StartRows;
  #last: Layout | undefined;
  /** The result of the last import; undefined if there is none. */
  report: DataReport | undefined;

  constructor(input: StartDataInput) {
    this.#input = input;
    this.#store = input.store;
    this.#given = input.given;
    this.#now = input.clock();
  }

  /**
   * Prepares rows. The result is cached, because tests reset their data often.
   *
   * @param beside - another store that may contain parents of the rows
   */
  async #layOut(rows: StartRows, known = this.#input.collections(), beside?: Store): Promise<Layout> {
    if (this.#last?.given === rows && this.#last.collections === known && this.#last.beside === beside)
      return this.#last;
    const { rows: named, left } =
      rows === 'examples' ? readExampleRows(known) : { rows: toStateRows(rows, known), left: [] };
    const into = { now: this.#now, ...(beside === undefined ? {} : { store: beside }) };
    let made: Pick<Layout, 'rows' | 'short'> = { rows: {}, short: [] };
    if (this.#input.count > 0) {
      // Loaded on demand: it imports the generators of bodies.
      const { generateRows } = await import('./generate-data.ts');
      made = await generateRows(known, named, {
        count: this.#input.count,
        seed: this.#input.seed,
        clock: this.#input.clock,
        fillsUp: rows === 'examples',
        layOut: async (above) => (await layOutRows(above, known, into)).placed,
      });
    }
    const layout = await layOutRows({ ...named, ...made.rows }, known, into);
    const bad = [...left, ...layout.bad];
    this.#last = { ...layout, bad, given: rows, rows: named, collections: known, short: made.short, beside };
    return this.#last;
  }

  async #layOutWhole(rows: GivenRows, known = this.#input.collections()): Promise<Layout> {
    const layout = await this.#layOut(rows, known, this.#store);
    if (layout.bad.length > 0) throw new DataError({ subject: nameRows(layout.rows), rows: layout.bad });
    return layout;
  }

  /** Inserts absent rows. Other mocks may start and clients may create at the same time: their items stay. */
  async #insertAbsent(placed: readonly PlacedRow[]): Promise<Pick<DataReport, 'added' | 'present' | 'left'>> {
    const left: BadRow[] = [];
    let added = 0;
    const waiting = parentsFirst(placed);
    while (waiting.length > 0) {
      const depth = depthOf(waiting[0]?.collection.name ?? '');
      const end = waiting.findIndex(({ collection }, at) => at === batch || depthOf(collection.name) > depth);
      const rows = waiting.splice(0, end === -1 ? waiting.length : end);
      await Promise.all(
        rows.map(async (row) => {
          const { stored, collection } = row;
          const outcome = await this.#store.insertIfAbsent({ ...stored, parents: collection.parents });
          added += outcome.kind === 'stored' ? 1 : 0;
          const reason = describeOutcome(outcome, collection);
          if (reason !== undefined) left.push(toBad(row, reason));
        }),
      );
    }
    return { added, present: placed.length - added - left.length, left };
  }

  /** Skips the numbers of the rows. Otherwise, a create would try each of them. */
  async #passNumbers({ collections: kept }: StoreContent): Promise<void> {
    for (const { name, lastNumber } of kept) {
      if (lastNumber > 0) await this.#store.passNumber(name, lastNumber);
    }
  }

  /** Removes unchanged rows; a changed row belongs to a client. */
  async #remove(rows: Iterable<PlacedRow>): Promise<number> {
    let removed = 0;
    for (const { stored } of rows) {
      const { collection, key, text } = stored;
      removed += (await this.#store.delete(collection, key, text)) ? 1 : 0;
    }
    return removed;
  }

  async #put(rows: readonly PlacedRow[]): Promise<Pick<DataReport, 'added' | 'replaced' | 'left'>> {
    const counts = { added: 0, replaced: 0 };
    let waiting = rows;
    for (;;) {
      const refused = new Map<PlacedRow, BadRow>();
      for (const row of waiting) {
        const isThere = (await this.#store.get(row.stored.collection, row.stored.key)) !== undefined;
        const outcome = await this.#store.replace({ ...row.stored, parents: row.collection.parents });
        const reason = describeOutcome(outcome, row.collection);
        if (reason === undefined) counts[isThere ? 'replaced' : 'added'] += 1;
        else refused.set(row, toBad(row, reason));
      }
      // A unique value may have belonged to a row that has another value now.
      if (refused.size === 0 || refused.size === waiting.length)
        return { ...counts, left: [...refused.values()] };
      waiting = [...refused.keys()];
    }
  }

  /** Reports the import of all accepted rows; undefined if there is nothing to report. */
  #reportOf({ placed, bad, short, given: of }: Layout): DataReport | undefined {
    const isOfExamples = of === 'examples' && this.#input.count === 0;
    if (isOfExamples && placed.length + bad.length === 0) return undefined;
    const source = isOfExamples ? 'examples' : 'given';
    return { ...nothing, source, collections: countRows(placed), added: placed.length, left: bad, short };
  }

  /** Imports the data if its ids are free. */
  async begin(): Promise<DataReport | undefined> {
    this.report = await this.#begin();
    return this.report;
  }

  async #begin(): Promise<DataReport | undefined> {
    const isGiven = this.#given !== 'examples';
    const layout = await (this.#given === 'examples'
      ? this.#layOut(this.#given)
      : this.#layOutWhole(this.#given));
    const { placed, content, rows } = layout;
    if (!isGiven && placed.length === 0) return this.#reportOf(layout);
    // Rows without a path belong to the same collection even if the collections change.
    this.#given = isGiven ? rows : this.#given;
    // Items that others store at the same time stay.
    if (await this.#store.loadIfEmpty(content)) return this.#reportOf(layout);
    // Existing state has precedence over an example, which may have been deleted.
    if (!isGiven && this.#input.count === 0) return undefined;
    const outcome = await this.#insertAbsent(placed);
    await this.#passNumbers(content);
    const report = this.#reportOf(layout);
    return report && { ...report, ...outcome };
  }

  /** Replaces the whole state by the data; rows that the contract no longer accepts are left out. */
  async reset(): Promise<void> {
    const layout = await this.#layOut(this.#given);
    await this.#store.load(layout.content);
    this.report = this.#reportOf(layout);
  }

  /** Throws if the collections reject rows. */
  async check(rows: GivenRows, known: Collections): Promise<void> {
    await this.#layOutWhole(rows, known);
  }

  /**
   * Changes the data: changed rows are put, new rows are added if their ids are free, and rows that are missing from
   * the new data are removed unless they were changed in the meantime. Everything else stays.
   */
  async change(rows: GivenRows): Promise<DataReport> {
    const next = await this.#layOutWhole(rows);
    const was = byName(await this.#layOut(this.#given, this.#input.collections(), this.#store));
    const is = byName(next);
    const news: PlacedRow[] = [];
    const changed: PlacedRow[] = [];
    for (const [name, row] of is) {
      const former = was.get(name);
      if (former === undefined) news.push(row);
      else if (former.stored.text !== row.stored.text) changed.push(row);
    }
    const removed = await this.#remove([...was].filter(([name]) => !is.has(name)).map(([, row]) => row));
    const outcome = await this.#put(changed);
    const inserted = await this.#insertAbsent(news);
    await this.#passNumbers(next.content);
    // Only at the end: if the store fails before, the same data completes the change.
    this.#given = next.rows;
    this.report = {
      source: 'given',
      collections: countRows(next.placed),
      removed,
      replaced: outcome.replaced,
      added: outcome.added + inserted.added,
      present: is.size - changed.length - news.length + inserted.present,
      left: [...outcome.left, ...inserted.left],
      short: next.short,
    };
    return this.report;
  }
}

function countRows(placed: readonly PlacedRow[]): readonly CollectionCount[] {
  const counts = new Map<string, number>();
  for (const { stored } of placed) counts.set(stored.collection, (counts.get(stored.collection) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count }));
}

function nameResource({ collection, key }: Pick<StoredResource, 'collection' | 'key'>): string {
  return `${collection}\0${typeof key}\0${key}`;
}

/** Returns the error for a row that is not stored. */
export function toBad({ collection, index, row }: RowCandidate, reason: string): BadRow {
  return { collection: collection.name, index, place: placeOfRow(row), reason };
}

function byName({ placed }: RowLayout): ReadonlyMap<string, PlacedRow> {
  return new Map(placed.map((row) => [nameResource(row.stored), row]));
}
