import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { canonicalPath } from '../../http/path.ts';
import { parseJsonValue } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import { createEventLoopYield } from '../clock.ts';
import { parseStored, parseStoreKey, singletonKey } from '../handlers/item-places.ts';
import { shorten } from '../message.ts';
import { createShallowStore } from '../store/shallow-store.ts';
import {
  type KeptResource,
  snapshotNameForm,
  type Store,
  type StoreKey,
  toStoreKey,
} from '../store/store.ts';
import { type Collections, createCollections, keepRow, takeRows, toStateRows } from './collections.ts';
import { layOutRows, mergeRows, StartData, toBad } from './initial-data.ts';
import { DataError, type GivenRows, type MockState, nameRows, type StateResource } from './rows.ts';

interface StateContext {
  readonly contract: Contract;
  readonly policy: Policy;
}

/** The state of a mock and its initial data. */
export interface HeldState {
  readonly state: MockState;
  readonly startData: StartData;
}

/** The default seed of generated rows, which differ for each seed; its value is arbitrary. */
const usualSeed = 1;

/**
 * Creates the state of a mock.
 *
 * @throws ClocheError OPTION_INVALID for an invalid number of rows
 */
export function holdState(input: {
  readonly store: Store;
  /** Returns the current contract and policy; the same object while they do not change. */
  readonly mockContext: () => StateContext;
  readonly start: {
    /** Omitted for the examples of the document. */
    readonly data?: GivenRows | 'none';
    /** The number of rows that are generated for each collection without given ones. */
    readonly dataCount?: number;
    readonly seed?: number;
  };
  readonly clock: () => number;
}): HeldState {
  const { store, mockContext, start, clock } = input;
  const count = checkDataCount(start.dataCount);
  const { data = 'examples', seed = usualSeed } = start;
  const given = data === 'none' ? {} : data;
  let known: { readonly mockContext: StateContext; readonly collections: Collections } | undefined;

  function collections(): Collections {
    const now = mockContext();
    if (known?.mockContext !== now) {
      known = { mockContext: now, collections: createCollections(now.contract, now.policy) };
    }
    return known.collections;
  }

  const shallow = createShallowStore(store, () => collections().operations);
  return {
    state: createMockState(shallow, collections, clock),
    startData: new StartData({ store, collections, given, count, seed, clock }),
  };
}

function checkDataCount(count: number = 0): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use as dataCount',
    subject: String(count),
    reason: 'it is no whole number from 0 on',
    remedy: 'Give the number of rows to generate for each collection, or leave it out for none',
  });
}

const pageSize = 1000;

function createMockState(store: Store, collections: () => Collections, clock: () => number): MockState {
  function candidatesOf(path: string, key: string | undefined): readonly StoreKey[] {
    if (key !== undefined) return toKeyCandidates(key);
    return collections().resourceAt(path)?.kind === 'singleton' ? [singletonKey] : [];
  }

  return {
    collections: () => countCollections(store, collections()),
    async list(path, { search: wanted = '', offset = 0, limit = 100 } = {}) {
      const collection = canonicalPath(path);
      const found = wanted === '' ? undefined : await search(store, collection, wanted.toLowerCase());
      const total = found?.length ?? (await store.count(collection));
      if (total === 0) checkCollection(collections(), path, 'list');
      const page = found?.slice(offset, offset + limit) ?? (await store.list(collection, { offset, limit }));
      return { total, resources: page.map(createShow(collections(), path)) };
    },
    async get(path, key) {
      const collection = canonicalPath(path);
      for (const candidate of candidatesOf(path, key)) {
        const text = await store.get(collection, candidate);
        if (text !== undefined) return createShow(collections(), path)({ key: candidate, text });
      }
      checkCollection(collections(), path, 'get a resource of');
      return undefined;
    },
    async put(path, value) {
      const { candidates, bad } = await takeRows({ [path]: [value] }, collections(), clock());
      const [row] = candidates;
      if (row === undefined) throw new DataError({ attempt: 'put', subject: path, rows: bad });
      const kept = await keepRow(store, row);
      if (typeof kept === 'string') {
        throw new DataError({ attempt: 'put', subject: path, rows: [toBad(row, kept)] });
      }
      return createShow(collections(), path)(kept);
    },
    async delete(path, key) {
      const collection = canonicalPath(path);
      for (const candidate of candidatesOf(path, key)) {
        const itemPath = `${collection}/${encodeURIComponent(toKeyText(candidate))}`;
        const tree = { collection, key: candidate, path: itemPath, below: 'delete' } as const;
        if ((await store.deleteTree(tree)) === 'deleted') return true;
      }
      checkCollection(collections(), path, 'delete a resource of');
      return false;
    },
    export: () => exportRows(store, collections()),
    async import(given, mode = 'replace') {
      const known = collections();
      const rows = toStateRows(given, known);
      if (mode === 'merge') return mergeRows(store, rows, { collections: known, now: clock() });
      const { placed, bad, content } = await layOutRows(rows, known, { now: clock() });
      if (bad.length > 0) throw new DataError({ subject: nameRows(rows), rows: bad });
      await store.load(content);
      return { added: placed.length, replaced: 0 };
    },
    async save(name) {
      await store.saveSnapshot(checkSnapshotName(name, 'save'), await store.dump());
    },
    async restore(name) {
      const content = await store.readSnapshot(checkSnapshotName(name, 'restore'));
      if (content === undefined) return false;
      await store.load(content);
      return true;
    },
    forget: async (name) => store.deleteSnapshot(checkSnapshotName(name, 'forget')),
    snapshots: async () => store.snapshots(),
  };
}

async function search(store: Store, collection: string, wanted: string): Promise<readonly KeptResource[]> {
  const yieldToEventLoop = createEventLoopYield(1);
  const found: KeptResource[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const page = await store.list(collection, { offset, limit: pageSize });
    found.push(...page.filter(({ text }) => text.toLowerCase().includes(wanted)));
    if (page.length < pageSize) return found;
    await yieldToEventLoop();
  }
}

/** Throws for an unknown path. A path with a typo has no resources, which a test may expect of the intended path. */
function checkCollection(collections: Collections, path: string, attempt: string): void {
  const found = collections.find(path);
  if (typeof found === 'string') {
    throw new ClocheError('DATA_INVALID', {
      attempt,
      subject: shorten(path),
      reason: found,
      remedy: 'Name a collection by its concrete path, as "/shops/7/orders"',
    });
  }
}

/** Returns resources in a form that put() accepts: they include the id, even if only the path of an item has it. */
function createShow(
  collections: Collections,
  path: string,
): (kept: Pick<KeptResource, 'key' | 'text'>) => StateResource {
  const collection = collections.find(path);
  const pathKey = typeof collection === 'string' ? undefined : collection.pathKey;
  return ({ key, text }) => {
    const value = parseStored(text).resource;
    return {
      key: String(key),
      value: pathKey === undefined ? value : { [pathKey]: parseStoreKey(key), ...value },
    };
  };
}

async function countCollections(
  store: Store,
  { uses, resourceAt }: Collections,
): ReturnType<MockState['collections']> {
  const counts = new Map(
    uses.flatMap(({ resource: { collection } }) => (collection.includes('{') ? [] : [[collection, 0]])),
  );
  for (const { name, count } of await store.collections()) counts.set(name, count);
  return [...counts].map(([name, count]) => {
    const resource = resourceAt(name);
    return {
      name,
      count,
      kind: resource?.kind ?? 'collection',
      key: resource === undefined || resource.key.kind === 'none' ? null : resource.key.property,
      isKept: resource?.isKept ?? true,
    };
  });
}

async function exportRows(store: Store, collections: Collections): Promise<Record<string, JsonObject[]>> {
  const content = await store.dump();
  const yieldToEventLoop = createEventLoopYield();
  const filled = content.collections.filter(({ resources }) => resources.length > 0);
  const rows: [string, JsonObject[]][] = [];
  for (const { name, resources } of filled) {
    const show = createShow(collections, name);
    const values: JsonObject[] = [];
    for (const resource of resources) {
      values.push(show(resource).value);
      const pause = yieldToEventLoop();
      if (pause !== undefined) await pause;
    }
    rows.push([name, values]);
  }
  return Object.fromEntries(rows);
}

/** Returns an id as in the path of its item, decoded. */
function toKeyText(key: StoreKey): string {
  const value = parseStoreKey(key);
  return typeof value === 'string' ? value.replaceAll(/\p{Surrogate}/gu, '\uFFFD') : String(key);
}

/** Returns the possible keys of a text, the likeliest first: its JSON value, the text, a string without its quotes. */
function toKeyCandidates(key: string): readonly StoreKey[] {
  const value = parseJsonValue(key);
  return [...new Set([...(value === undefined ? [] : [toStoreKey(value)]), key, toStoreKey(key)])];
}

function checkSnapshotName(name: unknown, verb: 'save' | 'restore' | 'forget'): string {
  if (typeof name === 'string' && snapshotNameForm.test(name)) return name;
  throw new ClocheError('OPTION_INVALID', {
    attempt: `${verb} the snapshot`,
    subject: shorten(String(name)),
    reason:
      'a name has 1 to 64 letters, digits, spaces, dots, hyphens and underscores, and begins with a letter, a digit or an underscore',
    remedy: verb === 'save' ? 'Give it another name' : 'Name a saved snapshot',
  });
}
