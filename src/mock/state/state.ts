import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { normalizePath } from '../../http/path.ts';
import { parseJson } from '../../json/parse.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import { shorten } from '../message.ts';
import {
  type KeptResource,
  snapshotNameForm,
  type Store,
  type StoredResource,
  type StoreKey,
  toStoreKey,
} from '../store/store.ts';
import {
  type Collection,
  type Collections,
  describeClaim,
  type GivenRows,
  insertMade,
  toStateRows,
} from './collections.ts';
import { layOutRows, mergeRows, type StartData } from './initial-data.ts';
import {
  DataError,
  type DataReport,
  type MockState,
  nameRows,
  placeOfRow,
  type StateResource,
} from './rows.ts';

/**
 * Checks the name of a snapshot.
 *
 * @throws ClocheError OPTION_INVALID where it is none
 */
function checkSnapshotName(name: unknown): string {
  if (typeof name === 'string' && snapshotNameForm.test(name)) return name;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'keep a snapshot as',
    subject: shorten(String(name)),
    reason:
      'a name has 1 to 64 letters, digits, spaces, dots, hyphens and underscores, and begins with a letter, a digit or an underscore',
    remedy: 'Give it another name',
  });
}

async function keep(store: Store, collection: Collection, row: unknown): Promise<StoredResource | string> {
  const taken = collection.take(row);
  if (typeof taken === 'string') return taken;
  if (taken.key === undefined) return insertMade({ store, collection, taken });
  const stored = collection.keeping.toStored(taken, toStoreKey(taken.key));
  const outcome = await store.replace(stored);
  return outcome.kind === 'claim-taken' ? describeClaim(outcome.claim) : stored;
}

/**
 * Keeps one row, in place of the resource that has its key.
 *
 * @param input.path - the concrete path of its collection
 * @throws DataError where the contract has no such collection or does not take the row
 */
async function putRow(input: {
  readonly store: Store;
  readonly collections: Collections;
  readonly path: string;
  readonly row: unknown;
}): Promise<StoredResource> {
  const { store, path, row } = input;
  const collection = input.collections.find(path);
  const kept = typeof collection === 'string' ? collection : await keep(store, collection, row);
  if (typeof kept === 'string') {
    const bad = { collection: path, index: 0, place: placeOfRow(row), reason: kept };
    throw new DataError({ subject: path, rows: [bad] });
  }
  return kept;
}

/** The object of a text that is kept: whatever is kept was an object once. */
function toKeptValue(text: string): JsonObject {
  const parsed = parseJson(text, { explains: false });
  return parsed.kind === 'json' && isJsonObject(parsed.value) ? parsed.value : {};
}

/** A kept resource as the state shows it. */
function toStateResource({ key, text }: { readonly key: StoreKey; readonly text: string }): StateResource {
  return { key: String(key), value: toKeptValue(text) };
}

/**
 * What a key may be kept under, likeliest first: the JSON value that it is a text of, itself, and a text of which the
 * quotes were left out.
 *
 * @param key - `1`, `"basil"`, `basil`
 */
function toKeyCandidates(key: string): readonly StoreKey[] {
  const parsed = parseJson(key, { explains: false });
  const value = parsed.kind === 'json' ? [toStoreKey(parsed.value)] : [];
  return [...new Set([...value, key, toStoreKey(key)])];
}

/** How many resources are looked through at a time. */
const pageSize = 1000;

/**
 * Opens what a store keeps to whoever looks into a mock.
 *
 * @param input.collections - those of the contract as it is now
 */
function createMockState(input: {
  readonly store: Store;
  readonly collections: () => Collections;
}): MockState {
  const { store, collections } = input;

  async function search(collection: string, wanted: string): Promise<readonly KeptResource[]> {
    const found: KeptResource[] = [];
    for (let offset = 0; ; offset += pageSize) {
      const page = await store.list(collection, { offset, limit: pageSize });
      found.push(...page.filter(({ text }) => text.toLowerCase().includes(wanted)));
      if (page.length < pageSize) return found;
    }
  }

  async function countOf(collection: string): Promise<number> {
    const counts = await store.collections();
    return counts.find(({ name }) => name === collection)?.count ?? 0;
  }

  /** A path with a slip of the pen holds nothing, which is what a test may expect of the one that was meant. */
  function checkCollection(path: string): void {
    const found = collections().find(path);
    if (typeof found === 'string') {
      throw new ClocheError('DATA_INVALID', {
        attempt: 'look into the collection',
        subject: shorten(path),
        reason: found,
        remedy: 'Name a collection by its concrete path, as "/shops/7/orders"',
      });
    }
  }

  return {
    async collections() {
      const filled = await store.collections();
      const { names } = collections();
      const concrete = filled.filter(({ name }) => !names.includes(name));
      const countNamed = (name: string): number => filled.find((one) => one.name === name)?.count ?? 0;
      return [...names.map((name) => ({ name, count: countNamed(name) })), ...concrete];
    },
    async list(path, { search: wanted = '', offset = 0, limit = 100 } = {}) {
      const collection = normalizePath(path);
      if (wanted === '') {
        const total = await countOf(collection);
        if (total === 0) {
          checkCollection(path);
        }
        const resources = await store.list(collection, { offset, limit });
        return { total, resources: resources.map(toStateResource) };
      }
      const found = await search(collection, wanted.toLowerCase());
      if (found.length === 0) {
        checkCollection(path);
      }
      return { total: found.length, resources: found.slice(offset, offset + limit).map(toStateResource) };
    },
    async get(path, key) {
      const collection = normalizePath(path);
      for (const candidate of toKeyCandidates(key)) {
        const text = await store.get(collection, candidate);
        if (text !== undefined) return toStateResource({ key: candidate, text });
      }
      checkCollection(path);
      return undefined;
    },
    async put(collection, value) {
      return toStateResource(
        await putRow({ store, collections: collections(), path: collection, row: value }),
      );
    },
    async delete(path, key) {
      const collection = normalizePath(path);
      for (const candidate of toKeyCandidates(key)) {
        if (await store.delete(collection, candidate)) return true;
      }
      checkCollection(path);
      return false;
    },
    async export() {
      const content = await store.dump();
      const rows: Record<string, readonly JsonObject[]> = {};
      for (const { name, resources } of content.collections) {
        if (resources.length > 0) {
          rows[name] = resources.map(({ text }) => toKeptValue(text));
        }
      }
      return rows;
    },
    async import(given, mode = 'replace') {
      const known = collections();
      const rows = toStateRows(given, known);
      if (mode === 'merge') return mergeRows({ store, collections: known, rows });
      const { placed, bad, content } = await layOutRows({ rows, collections: known });
      if (bad.length > 0) throw new DataError({ subject: nameRows(rows), rows: bad });
      await store.load(content);
      return { added: placed.length, replaced: 0 };
    },
    async save(name) {
      await store.saveSnapshot(checkSnapshotName(name), await store.dump());
    },
    async restore(name) {
      const content = await store.readSnapshot(checkSnapshotName(name));
      if (content === undefined) return false;
      await store.load(content);
      return true;
    },
    async forget(name) {
      return store.deleteSnapshot(checkSnapshotName(name));
    },
    async snapshots() {
      return store.snapshots();
    },
  };
}

/** The state of a mock, of which the parts are loaded when it is first looked into. */
function openLater(load: () => Promise<MockState>): MockState {
  return {
    collections: async () => (await load()).collections(),
    list: async (collection, query) => (await load()).list(collection, query),
    get: async (collection, key) => (await load()).get(collection, key),
    put: async (collection, value) => (await load()).put(collection, value),
    delete: async (collection, key) => (await load()).delete(collection, key),
    export: async () => (await load()).export(),
    import: async (rows, mode) => (await load()).import(rows, mode),
    save: async (name) => (await load()).save(name),
    restore: async (name) => (await load()).restore(name),
    forget: async (name) => (await load()).forget(name),
    snapshots: async () => (await load()).snapshots(),
  };
}

/** What a mock goes by. */
interface Basis {
  readonly contract: Contract;
  readonly policy: Policy;
}

/** The data that a mock is to start from. */
interface DataToStartFrom {
  readonly data?: GivenRows;
  /** How many rows are made up for each collection that has none given. */
  readonly dataCount?: number;
  readonly seed?: number;
}

/** The state of a mock, and the data it starts from. */
export interface HeldState {
  readonly state: MockState;
  /** What became of the data when it was last brought in; undefined where there is none. */
  readonly report: () => DataReport | undefined;
  /**
   * Brings the data in, as far as it is not there.
   *
   * @throws DataError which names each row that the contract does not take
   */
  readonly begin: () => Promise<void>;
  /** As it was at the start. */
  readonly reset: () => Promise<void>;
  /**
   * Checks other data.
   *
   * @throws DataError which names each row that is not taken
   */
  readonly check: (data: GivenRows, basis: Basis) => Promise<void>;
  /**
   * Takes up other data.
   *
   * @throws DataError which names each row that the contract does not take; nothing is changed then
   */
  readonly change: (data: GivenRows) => Promise<DataReport>;
}

/** The rows that are made up differ for each seed; this one is as good as any. */
const usualSeed = 1;

/**
 * Holds the state of a mock. What looks into it, checks rows or makes some up is loaded when it is needed.
 *
 * @param input.basis - as it is now; one object as long as it stays the same
 * @throws ClocheError OPTION_INVALID for a number of rows that is none
 */
export function holdState(input: {
  readonly store: Store;
  readonly basis: () => Basis;
  readonly start: DataToStartFrom;
}): HeldState {
  const { store, basis, start } = input;
  const count = checkDataCount(start.dataCount);
  let known: { readonly basis: Basis; readonly collections: Collections } | undefined;
  let startData: StartData | undefined;
  let report: DataReport | undefined;

  async function openCollections(): Promise<() => Collections> {
    const { createCollections } = await import('./collections.ts');
    return () => {
      const now = basis();
      if (known?.basis !== now) {
        known = { basis: now, collections: createCollections(now.contract, now.policy) };
      }
      return known.collections;
    };
  }

  const state = openLater(async () => {
    return createMockState({ store, collections: await openCollections() });
  });

  async function openStartData(): Promise<StartData> {
    const { createStartData } = await import('./initial-data.ts');
    const { seed = usualSeed } = start;
    startData ??= createStartData({
      store,
      collections: await openCollections(),
      given: start.data === undefined ? {} : start.data,
      wanted: count,
      generate:
        count === 0
          ? undefined
          : async (collections, given) => {
              const { generateRows } = await import('./generate-data.ts');
              return generateRows({ collections, given, count, seed });
            },
    });
    return startData;
  }

  return {
    state,
    report: () => report,
    async begin() {
      if (start.data !== undefined || count > 0) {
        const data = await openStartData();
        report = await data.begin();
      }
    },
    async reset() {
      if (startData === undefined) {
        await store.reset();
        return;
      }
      report = await startData.reset();
    },
    async check(data, next) {
      const { createCollections } = await import('./collections.ts');
      const opened = await openStartData();
      await opened.check(data, createCollections(next.contract, next.policy));
    },
    async change(data) {
      const opened = await openStartData();
      report = await opened.change(data);
      return report;
    },
  };
}

/**
 * Checks how many rows are to be made up for each collection.
 *
 * @throws ClocheError OPTION_INVALID for what is no whole number from 0 on
 */
function checkDataCount(count: number = 0): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use as dataCount',
    subject: String(count),
    reason: 'it is no whole number from 0 on',
    remedy: 'Give the number of rows to make up for each collection, or leave it out for none',
  });
}
