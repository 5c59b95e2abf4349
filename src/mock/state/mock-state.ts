import type { JsonObject } from '../../json/json-value.ts';
import type { CollectionCount } from '../store/store.ts';

/** A resource as the state shows it. */
export interface StateResource {
  /**
   * What the resource is kept under, as a JSON text: `1`, `"basil"`. Where the policy takes a key that is taken, the
   * later ones have a number behind it: `1 2`.
   */
  readonly key: string;
  readonly value: JsonObject;
}

/** A part of a collection. */
export interface StatePage {
  /** How many resources there are, or of a search, how many match. */
  readonly total: number;
  readonly resources: readonly StateResource[];
}

/** Which part of a collection is wanted. */
export interface StateQuery {
  /**
   * Resources whose JSON text holds this, upper and lower case alike.
   *
   * @defaultValue all
   */
  readonly search?: string;
  /** @defaultValue 0 */
  readonly offset?: number;
  /** @defaultValue 100 */
  readonly limit?: number;
}

/**
 * Resources by the concrete path of their collection, as a data file holds them and an export gives them:
 * `{ "/orders": [{ "id": 1 }] }`.
 */
export type StateRows = Readonly<Record<string, readonly JsonObject[]>>;

/** How many resources were brought in. */
export interface Imported {
  readonly added: number;
  readonly replaced: number;
}

/** What a mock remembers. Each collection is named by its concrete path, `/shops/7/orders`. */
export interface MockState {
  /** The collections that can hold something, empty ones too, as far as their path has no parameters. */
  collections(): Promise<readonly CollectionCount[]>;
  /**
   * A part of a collection, in the order in which its resources came.
   *
   * @throws ClocheError DATA_INVALID where nothing is there and the contract has no such collection
   */
  list(collection: string, query?: StateQuery): Promise<StatePage>;
  /**
   * @param key - as StateResource has it; a text may go without its quotes where no other key is meant then
   * @throws ClocheError DATA_INVALID as list() does
   */
  get(collection: string, key: string): Promise<StateResource | undefined>;
  /**
   * Keeps a resource, in place of one that has its key.
   *
   * @throws DataError where the contract has no such collection or does not take the resource
   */
  put(collection: string, value: JsonObject): Promise<StateResource>;
  /**
   * False where there was none.
   *
   * @throws ClocheError DATA_INVALID as list() does
   */
  delete(collection: string, key: string): Promise<boolean>;
  /** Everything, so that import() takes it. */
  export(): Promise<StateRows>;
  /**
   * Brings resources in: all of them, or where one cannot be taken, none.
   *
   * @param mode - `replace` empties the state first, `merge` keeps what is there
   * @throws DataError which names each row that cannot be taken
   */
  import(rows: StateRows, mode?: 'replace' | 'merge'): Promise<Imported>;
  /** Keeps the state as it is under a name, in place of an earlier one. */
  save(name: string): Promise<void>;
  /** Brings the state back that was kept under a name; false where there is none. */
  restore(name: string): Promise<boolean>;
  /** Forgets what was kept under a name; false where there was none. */
  forget(name: string): Promise<boolean>;
  /** What was kept under names, by name, and how many resources each holds. */
  snapshots(): Promise<readonly CollectionCount[]>;
}
