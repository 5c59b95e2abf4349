import type { TextLocation } from '../../document/document.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonObject } from '../../json/value.ts';
import type { CollectionCount } from '../store/store.ts';

/** A row of data that the contract does not accept. */
export interface BadRow {
  /** The concrete path of its collection. */
  readonly collection: string;
  /** Its place among the rows of the collection, from 0. */
  readonly index: number;
  /** Where the row stands in the file it came from: `orders.yaml:12:3`; undefined where it came from none. */
  readonly place?: string | undefined;
  /** Why it is not accepted, in words, without a full stop. */
  readonly reason: string;
}

/** Data that the contract does not accept; nothing of it was kept. */
export class DataError extends ClocheError {
  readonly rows: readonly BadRow[];

  /** Of every bad row, at least one. The subject is the file, or the name of what was given. */
  constructor({ subject, rows }: { readonly subject: string; readonly rows: readonly BadRow[] }) {
    const named = rows.slice(0, mostNamed).map(({ collection, index, place, reason }) => {
      // A wrong name is wrong for all of its rows, and the reason begins with it.
      const row = reason.startsWith(`${collection} `) ? '' : `${collection}, row ${index + 1}: `;
      return place === undefined ? `${row}${reason}` : `${place}: ${reason}`;
    });
    const rest = rows.length - named.length;
    super('DATA_INVALID', {
      attempt: 'import',
      subject,
      reason: `${named.join('; ')}${rest > 0 ? `; and ${rest} more rows` : ''}`,
      remedy: 'Nothing was imported',
    });
    this.rows = rows;
  }
}

/** More rows than these make no sentence. */
const mostNamed = 10;

/** What became of the data that a mock starts from, when it was last brought in. */
export interface DataReport {
  /** Where it comes from: it was given or made up, or it is that of the document's examples alone. */
  readonly source: 'given' | 'examples';
  /** What was put in, by the concrete paths of collections, in the order of the data. */
  readonly collections: readonly CollectionCount[];
  /** How many rows there are now that were not there. */
  readonly added: number;
  /** How many were there already: in a store that outlives the mock, or unchanged in changed data. */
  readonly present: number;
  /** How many took the place of what had their key. */
  readonly replaced: number;
  /** How many were taken away, since changed data does not have them. */
  readonly removed: number;
  /** Those that were left out, since the contract or what is there by now does not take them. */
  readonly left: readonly BadRow[];
  /** Collections for which fewer rows were made up than were asked for, nested ones by their template. */
  readonly short: readonly {
    readonly collection: string;
    readonly made: number;
    readonly wanted: number;
    /** There are no more that differ, or there would be too many below other items. */
    readonly reason: 'alike' | 'many-nested';
  }[];
}

/** A collection of the state, or a singleton, and how much is in it. */
export interface StateCollection extends CollectionCount {
  readonly kind: 'collection' | 'singleton';
  /** The property that its resources are told apart by; null where none of them does. */
  readonly key: string | null;
  /** False where requests get samples, as nothing can fill it but data, which is not there. */
  readonly isKept: boolean;
}

/** A resource as the state shows it. */
export interface StateResource {
  /** The id as a JSON text: `1`, `"basil"`; `0` of a singleton. Later resources with the same id have a number after it: `1 2`. */
  readonly key: string;
  readonly value: JsonObject;
}

/** List resources of a collection. */
export interface StatePage {
  /** How many resources there are, or of a search, how many match. */
  readonly total: number;
  readonly resources: readonly StateResource[];
}

/** Which part of a collection is wanted. */
export interface StateQuery {
  /**
   * Resources whose JSON contains this text, ignoring case.
   *
   * @defaultValue all
   */
  readonly search?: string;
  /** @defaultValue 0 */
  readonly offset?: number;
  /** @defaultValue 100 */
  readonly limit?: number;
}

/** Exported resources by the concrete path of their collection: `{ "/orders": [{ "id": 1 }] }`. A singleton is a list of one. */
export type StateRows = Readonly<Record<string, readonly JsonObject[]>>;

/**
 * Rows as they are given: by the concrete path of their collection, one object for a singleton
 * (`{ "/orders": [{ "id": 1 }], "/shops/7/orders": [{ "id": 2 }], "/settings": { "theme": "dark" } }`); or alone, where
 * there is one collection that they can belong to.
 */
export type GivenRows = Readonly<Record<string, readonly JsonObject[] | JsonObject>> | readonly JsonObject[];

/** The paths of collections that rows name; those that stand alone name none. */
export function listPaths(rows: GivenRows): readonly string[] {
  // Who writes JavaScript may give anything.
  return Array.isArray(rows) ? [] : Object.keys(rows ?? {});
}

/** How many resources were brought in. */
export interface Imported {
  readonly added: number;
  readonly replaced: number;
}

/** What a mock remembers. Each collection is named by its concrete path, `/shops/7/orders`. */
export interface MockState {
  /** The collections and the singletons, empty ones too as far as their path has no parameters. */
  collections(): Promise<readonly StateCollection[]>;
  /**
   * List resources of a collection, in the order in which its resources came.
   *
   * @throws ClocheError DATA_INVALID if nothing is there and the document has no collection of this path
   */
  list(collection: string, query?: StateQuery): Promise<StatePage>;
  /**
   * @param key - as StateResource has it; a text may go without its quotes where no other key is meant then. A singleton
   * needs none.
   * @throws ClocheError DATA_INVALID as list() does
   */
  get(collection: string, key?: string): Promise<StateResource | undefined>;
  /**
   * Keeps a resource, in place of one that has its key.
   *
   * @throws DataError if the document has no collection of this path or does not allow the resource
   */
  put(collection: string, value: JsonObject): Promise<StateResource>;
  /**
   * Deletes a resource and what lies below it; false where there was none.
   *
   * @throws ClocheError DATA_INVALID as list() does
   */
  delete(collection: string, key?: string): Promise<boolean>;
  /** Everything, so that import() takes it. */
  export(): Promise<StateRows>;
  /**
   * Brings resources in: all of them, or where one cannot be taken, none.
   *
   * @param mode - `replace` empties the state first, `merge` keeps what is there
   * @throws DataError which names each row that cannot be taken
   */
  import(rows: GivenRows, mode?: 'replace' | 'merge'): Promise<Imported>;
  /** Keeps the state as it is under a name, in place of an earlier one. */
  save(name: string): Promise<void>;
  /** Brings the state back that was kept under a name; false where there is none. */
  restore(name: string): Promise<boolean>;
  /** Forgets what was kept under a name; false where there was none. */
  forget(name: string): Promise<boolean>;
  /** What was kept under names, by name, and how many resources each holds. */
  snapshots(): Promise<readonly CollectionCount[]>;
}

const places = new WeakMap<object, TextLocation>();

/** Notes where a row was read, so that whoever finds it wrong can say so. */
export function notePlace(row: object, place: TextLocation): void {
  places.set(row, place);
}

/** Where a row was read: `orders.yaml:12:3`; undefined where it comes from no text. */
export function placeOfRow(row: unknown): string | undefined {
  const place = typeof row === 'object' && row !== null ? places.get(row) : undefined;
  return place === undefined ? undefined : `${place.file}:${place.line}:${place.column}`;
}

/** The file that a row was read from. */
export function fileOfRow(row: unknown): string | undefined {
  return typeof row === 'object' && row !== null ? places.get(row)?.file : undefined;
}

/** What rows are called in a sentence: the file that they were read from, or else their collections. */
export function nameRows(rows: StateRows): string {
  const first = Object.values(rows).find((list) => list.length > 0)?.[0];
  return fileOfRow(first) ?? Object.keys(rows).slice(0, 5).join(', ');
}
