import { countContent } from './count-content.ts';
import { fromKeyText, fromNameText, toKeyText } from './key-text.ts';
import type { RedisConnection } from './redis/redis-connection.ts';
import * as scripts from './redis/redis-scripts.ts';
import type { KeptResource, StoreContent } from './store-content.ts';
import type { CollectionCount, Store, StoredResource, StoreKey, StoreOutcome } from './store.ts';

/** The last place of a sorted set that Redis takes. */
const farthest = 2 ** 31;

function toClaimsText(claims: readonly string[]): string {
  return JSON.stringify(claims.map((claim) => toKeyText(claim)));
}

function toValues({ collection, key, text, claims }: StoredResource): readonly string[] {
  return [toKeyText(collection), toKeyText(key), text, toClaimsText(claims)];
}

function toOutcome(reply: unknown): StoreOutcome {
  // `as`: so the script answers.
  const [kind, about = ''] = reply as [StoreOutcome['kind'], string?];
  switch (kind) {
    case 'stored':
      return { kind };
    case 'key-taken':
      return { kind, text: about };
    case 'claim-taken':
      return { kind, claim: fromNameText(about) };
  }
}

/** Reads key, text and claims in turn. */
function toResources(reply: unknown): readonly KeptResource[] {
  // `as`: so the script answers.
  const flat = reply as readonly string[];
  return Array.from({ length: flat.length / 3 }, (_, index) => ({
    key: fromKeyText(flat[index * 3] ?? ''),
    text: flat[index * 3 + 1] ?? '',
    // `as`: toClaimsText wrote it.
    claims: (JSON.parse(flat[index * 3 + 2] ?? '[]') as string[]).map((claim) => fromNameText(claim)),
  }));
}

/** Reads names and counts in turn. */
function toCounts(reply: unknown): readonly CollectionCount[] {
  // `as`: so the script answers.
  const flat = reply as readonly (string | number)[];
  return Array.from({ length: flat.length / 2 }, (_, index) => ({
    name: fromNameText(String(flat[index * 2])),
    count: Number(flat[index * 2 + 1]),
  }));
}

function toContent(reply: unknown): StoreContent {
  // `as`: so the script answers.
  const flat = reply as readonly unknown[];
  return {
    collections: Array.from({ length: flat.length / 3 }, (_, index) => ({
      name: fromNameText(String(flat[index * 3])),
      lastNumber: Number(flat[index * 3 + 1]),
      resources: toResources(flat[index * 3 + 2]),
    })),
  };
}

function fromContent({ collections }: StoreContent): string {
  return JSON.stringify(
    collections.map(({ name, lastNumber, resources }) => [
      toKeyText(name),
      String(lastNumber),
      resources.map(({ key, text, claims }) => [toKeyText(key), text, toClaimsText(claims)]),
    ]),
  );
}

/** A store that keeps everything in Redis, so that any number of mocks share it. */
export function createRedisStore({ read, write, close }: RedisConnection): Store {
  return {
    async insertIfAbsent(resource) {
      return toOutcome(await write(scripts.insertIfAbsent, ...toValues(resource)));
    },
    async replace(resource) {
      return toOutcome(await write(scripts.replace, ...toValues(resource)));
    },
    async get(collection: string, key: StoreKey) {
      const text = await read(scripts.get, toKeyText(collection), toKeyText(key));
      return typeof text === 'string' ? text : undefined;
    },
    async nextNumber(collection) {
      return Number(await write(scripts.nextNumber, toKeyText(collection)));
    },
    async passNumber(collection, number) {
      await write(scripts.passNumber, toKeyText(collection), number);
    },
    async delete(collection, key) {
      return (await write(scripts.deleteOne, toKeyText(collection), toKeyText(key))) === 1;
    },
    async collections() {
      return toCounts(await read(scripts.collections)).filter(({ count }) => count > 0);
    },
    async list(collection, { offset, limit }) {
      if (limit <= 0) {
        return [];
      }
      const last = Math.min(offset + limit - 1, farthest);
      return toResources(
        await read(scripts.listPage, toKeyText(collection), Math.min(offset, farthest), last),
      );
    },
    async dump() {
      return toContent(await read(scripts.dump));
    },
    async load(content) {
      await write(scripts.load, fromContent(content));
    },
    async loadIfEmpty(content) {
      return (await write(scripts.loadIfEmpty, fromContent(content))) === 1;
    },
    async saveSnapshot(name, content) {
      await write(scripts.saveSnapshot, toKeyText(name), JSON.stringify(content), countContent(content));
    },
    async readSnapshot(name) {
      const text = await read(scripts.readSnapshot, toKeyText(name));
      // `as`: saveSnapshot wrote it.
      return typeof text === 'string' ? (JSON.parse(text) as StoreContent) : undefined;
    },
    async swapSnapshot({ name, was, is }) {
      const [before, after] = [was, is].map((content) =>
        content === undefined ? '' : JSON.stringify(content),
      );
      const count = is === undefined ? 0 : countContent(is);
      return (await write(scripts.swapSnapshot, toKeyText(name), before ?? '', after ?? '', count)) === 1;
    },
    async deleteSnapshot(name) {
      return (await write(scripts.deleteSnapshot, toKeyText(name))) === 1;
    },
    async snapshots() {
      return toCounts(await read(scripts.snapshots)).toSorted((left, right) =>
        left.name < right.name ? -1 : 1,
      );
    },
    async reset() {
      await write(scripts.reset);
    },
    close,
  };
}
