import type { Operation, Resource } from '../../contract/contract.ts';
import { keptRole } from '../../contract/resources.ts';
import { toShallowPath } from '../../contract/shallow-routes.ts';
import { eachThere, firstThere, type MaybePromise, whenThere } from '../message.ts';
import { cutPage } from './insertion-order.ts';
import type { ListedResource, Store, StoredResource, StoreKey, StorePage, StorePlace } from './store.ts';

/**
 * Combines the collections of a store that share a shorter path: an id identifies one item below all parents, new ids
 * come from one sequence, and the shorter path reads, changes, deletes and lists the items of all of them.
 *
 * Every item stays in the collection below its parent. Finding it by its id alone searches each of these collections,
 * so the cost grows with the number of parents. Two clients that create the same new id below two parents at the same
 * moment can both succeed.
 *
 * @param operations - returns the operations of the current contract
 * @example
 * `/albums/1/photos` and `/albums/2/photos` share `/photos`.
 */
export function createShallowStore(store: Store, operations: () => readonly Operation[]): Store {
  const paths = new ShortPaths(store, operations);

  /** Runs a function on the collection with the id for a shorter path, and on any other collection directly. */
  function at<T>(
    { collection, key }: StorePlace,
    missing: T,
    run: (name: string) => MaybePromise<T>,
  ): MaybePromise<T> {
    if (!paths.isShort(collection)) return run(collection);
    return whenThere(paths.locate(collection, key), (name) => (name === undefined ? missing : run(name)));
  }

  /** Returns the resource with the actual places of its parents. */
  function withParents(resource: StoredResource): MaybePromise<StoredResource> {
    const { parents } = resource;
    if (parents?.some(({ collection }) => paths.isShort(collection)) !== true) return resource;
    const moved = eachThere(parents, (place) =>
      whenThere(paths.locate(place.collection, place.key), (collection = place.collection) => ({
        ...place,
        collection,
      })),
    );
    return whenThere(moved, (all) => ({ ...resource, parents: all }));
  }

  return {
    ...store,
    insertIfAbsent: (resource) =>
      whenThere(withParents(resource), (placed) => {
        const { collection, key } = placed;
        if (paths.shortOf(collection) === undefined) return store.insertIfAbsent(placed);
        return whenThere(paths.locate(collection, key), (holder = collection) =>
          whenThere(holder === collection ? undefined : store.get(holder, key), (text) =>
            text === undefined ? store.insertIfAbsent(placed) : { kind: 'key-taken', text },
          ),
        );
      }),
    replace: (resource) => whenThere(withParents(resource), (placed) => store.replace(placed)),
    swap: (resource, was) =>
      at(resource, { kind: 'changed' }, (collection) => store.swap({ ...resource, collection }, was)),
    get: (collection, key) =>
      at<string | undefined>({ collection, key }, undefined, (name) => store.get(name, key)),
    claims: (collection, key) =>
      at<readonly string[]>({ collection, key }, [], (name) => store.claims(name, key)),
    delete: (collection, key, was) => at({ collection, key }, false, (name) => store.delete(name, key, was)),
    deleteTree: (tree) => at(tree, 'absent', (collection) => store.deleteTree({ ...tree, collection })),
    nextNumber: (collection) => store.nextNumber(paths.shortOf(collection) ?? collection),
    passNumber: (collection, number) => store.passNumber(paths.shortOf(collection) ?? collection, number),
    count: (collection) =>
      paths.isShort(collection)
        ? whenThere(store.collections(), (all) =>
            all.reduce((sum, { name, count }) => sum + (paths.shortOf(name) === collection ? count : 0), 0),
          )
        : store.count(collection),
    list: (collection, page) =>
      paths.isShort(collection) ? paths.listAll(collection, page) : store.list(collection, page),
  };
}

/** Finds the collections that share a shorter path, and their items. */
class ShortPaths {
  readonly #store: Store;
  readonly #operations: () => readonly Operation[];
  #known: { readonly of: readonly Operation[]; readonly finders: readonly ShortPathFinder[] } | undefined;

  constructor(store: Store, operations: () => readonly Operation[]) {
    this.#store = store;
    this.#operations = operations;
  }

  /** Returns the shorter path of a collection below a parent, or of itself; undefined for any other collection. */
  shortOf(name: string): string | undefined {
    const of = this.#operations();
    if (this.#known?.of !== of) this.#known = { of, finders: createFinders(of) };
    for (const find of this.#known.finders) {
      const short = find(name);
      if (short !== undefined) return short;
    }
    return undefined;
  }

  isShort(name: string): boolean {
    return this.shortOf(name) === name;
  }

  /** Returns the collections with items of a shorter path. */
  #partsOf(short: string): MaybePromise<readonly string[]> {
    return whenThere(this.#store.collections(), (all) =>
      all.map(({ name }) => name).filter((name) => this.shortOf(name) === short),
    );
  }

  /** Returns the collection that contains an id; undefined if none does. */
  locate(name: string, key: StoreKey): MaybePromise<string | undefined> {
    const short = this.shortOf(name);
    if (short === undefined) return name;
    return whenThere(this.#partsOf(short), (parts) =>
      firstThere(parts, (part) => whenThere(this.#store.get(part, key), (text) => text && part)),
    );
  }

  /** Lists all items at a shorter path, in the order of their creation. */
  listAll(short: string, page: StorePage): MaybePromise<readonly ListedResource[]> {
    const isDescending = page.order === 'descending';
    const everything = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
    const pages = whenThere(this.#partsOf(short), (parts) =>
      eachThere(parts, (part) => this.#store.list(part, everything)),
    );
    return whenThere(pages, (all) => {
      const sorted = all
        .flat()
        .toSorted((left, right) => (left.position - right.position) * (isDescending ? -1 : 1));
      return cutPage(sorted, page);
    });
  }
}

/** Returns true if the items of a resource have a shorter path. */
export function hasShallowRoutes(operations: readonly Operation[]): boolean {
  return operations.some((operation) => keptRole(operation)?.resource.shallow !== undefined);
}

/** Returns the shorter path that a concrete collection has or shares; undefined for any other collection. */
type ShortPathFinder = (name: string) => string | undefined;

function createFinders(operations: readonly Operation[]): readonly ShortPathFinder[] {
  const resources = operations.flatMap((operation) => keptRole(operation)?.resource ?? []);
  const byPath = new Map(resources.map((resource): [string, Resource] => [resource.collection, resource]));
  return [...byPath.values()].flatMap(({ collection, shallow }): ShortPathFinder[] => {
    if (shallow === undefined) return [];
    const short = shallow.split('/');
    const nested = collection.split('/');
    return [
      (name) => {
        const parts = name.split('/');
        return fits(short, parts) || fits(nested, parts) ? toShallowPath({ shallow }, name) : undefined;
      },
    ];
  });
}

const fits = (template: readonly string[], parts: readonly string[]): boolean =>
  template.length === parts.length &&
  template.every((segment, index) => segment.includes('{') || segment === parts[index]);
