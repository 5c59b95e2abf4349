import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { shorten } from '../content/shorten.ts';
import type { KeptResource } from '../store/store-content.ts';
import type { Store } from '../store/store.ts';
import { checkSnapshotName } from './check-snapshot-name.ts';
import type { Collections } from './create-collections.ts';
import { DataError } from './data-error.ts';
import { mergeRows } from './merge-rows.ts';
import { layOutRows } from './lay-out-rows.ts';
import type { MockState } from './mock-state.ts';
import { nameRows } from './name-rows.ts';
import { putRow } from './put-row.ts';
import { toKeptValue, toStateResource } from './to-state-resource.ts';
import { toStateRows } from './to-state-rows.ts';
import { toKeyCandidates } from './to-key-candidates.ts';
import { normalizePath } from '../../http/normalize-path.ts';

/** How many resources are looked through at a time. */
const pageSize = 1000;

/**
 * Opens what a store keeps to whoever looks into a mock.
 *
 * @param input.collections - those of the contract as it is now
 */
export function createMockState(input: {
  readonly store: Store;
  readonly collections: () => Collections;
}): MockState {
  const { store, collections } = input;

  async function search(collection: string, wanted: string): Promise<readonly KeptResource[]> {
    const found: KeptResource[] = [];
    for (let offset = 0; ; offset += pageSize) {
      const page = await store.list(collection, { offset, limit: pageSize });
      found.push(...page.filter(({ text }) => text.toLowerCase().includes(wanted)));
      if (page.length < pageSize) {
        return found;
      }
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
        if (text !== undefined) {
          return toStateResource({ key: candidate, text });
        }
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
        if (await store.delete(collection, candidate)) {
          return true;
        }
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
      if (mode === 'merge') {
        return mergeRows({ store, collections: known, rows });
      }
      const { placed, bad, content } = await layOutRows({ rows, collections: known });
      if (bad.length > 0) {
        throw new DataError({ subject: nameRows(rows), rows: bad });
      }
      await store.load(content);
      return { added: placed.length, replaced: 0 };
    },
    async save(name) {
      await store.saveSnapshot(checkSnapshotName(name), await store.dump());
    },
    async restore(name) {
      const content = await store.readSnapshot(checkSnapshotName(name));
      if (content === undefined) {
        return false;
      }
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
