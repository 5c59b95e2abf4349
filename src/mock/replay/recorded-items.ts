import { stringifyJson } from '../../json/print.ts';
import type { JsonObject } from '../../json/value.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { MockState, StateResource } from '../state/rows.ts';

/** An item in a recorded response. */
interface RecordedItem {
  readonly collection: string;
  /** Its id as in a path, decoded; undefined for a singleton. */
  readonly id: string | undefined;
  readonly value: JsonObject;
}

/** The maximum number of resources of a collection that are compared. */
const mostCompared = 100_000;

/**
 * The items of a recording, which are stored at the start. What differs from that start was created, changed or deleted
 * since, by a client or by the control interface.
 */
export class RecordedItems {
  readonly #items: readonly RecordedItem[];
  #state: MockState | undefined;
  /** The resources at the start as texts, by collection and key. */
  #start: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map();
  /** Deleted items that the state could not store. */
  readonly #deleted = new Set<string>();

  constructor(items: readonly RecordedItem[]) {
    this.#items = items.toSorted(
      (left, right) => left.collection.split('/').length - right.collection.split('/').length,
    );
  }

  /**
   * Stores the items that are not there yet, parents first. An item that the document rejects is left out: its recorded
   * response is still sent.
   *
   * @param isReplacing - whether the items replace all others of their collections, such as examples
   */
  async store(state: MockState, isReplacing: boolean): Promise<void> {
    this.#state = state;
    this.#deleted.clear();
    const collections = new Set(this.#items.map(({ collection }) => collection));
    if (isReplacing) {
      for (const each of collections) {
        for (const { key } of await this.#list(each)) await state.delete(each, key);
      }
    }
    for (const { collection, id, value } of this.#items) {
      if ((await this.#get(collection, id ?? '')) === undefined) await this.put(collection, value);
    }
    const start = new Map<string, ReadonlyMap<string, string>>();
    for (const { name } of await state.collections()) start.set(name, toTexts(await this.#list(name)));
    this.#start = start;
  }

  /** Stores an item; returns false if the document rejects it. */
  async put(collection: string, value: JsonObject): Promise<boolean> {
    return (await unlessRejected(this.#state?.put(collection, value))) !== undefined;
  }

  /** Returns whether an item, or anything of a collection, differs from the start; an empty key is that of a singleton. */
  async isChanged(collection: string, key: string | undefined): Promise<boolean> {
    const start = this.#start.get(collection) ?? new Map<string, string>();
    if (key === undefined) {
      const now = toTexts(await this.#list(collection));
      const isSame = now.size === start.size && [...now].every(([name, text]) => start.get(name) === text);
      return !isSame || [...this.#deleted].some((each) => each.startsWith(`${collection} `));
    }
    if (this.#deleted.has(`${collection} ${key}`)) return true;
    const found = await this.#get(collection, key);
    if (found !== undefined) return start.get(found.key) !== stringifyJson(found.value);
    return [key, JSON.stringify(key), '0'].some((name) => (key === '' || name !== '0') && start.has(name));
  }

  /** Notes that an item was deleted, or that a client tried to. */
  noteDeleted(collection: string, key: string): void {
    this.#deleted.add(`${collection} ${key}`);
  }

  #get(collection: string, key: string): Promise<StateResource | undefined> {
    return unlessRejected(this.#state?.get(collection, key === '' ? undefined : key));
  }

  async #list(collection: string): Promise<readonly StateResource[]> {
    return (await unlessRejected(this.#state?.list(collection, { limit: mostCompared })))?.resources ?? [];
  }
}

/** Returns the result of work on the state; undefined if the document rejects it. */
async function unlessRejected<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ClocheError) return undefined;
    throw error;
  }
}

function toTexts(resources: readonly StateResource[]): ReadonlyMap<string, string> {
  return new Map(resources.map(({ key, value }) => [key, stringifyJson(value)]));
}
