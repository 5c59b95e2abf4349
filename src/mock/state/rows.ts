import type { TextLocation } from '../../document/document.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonObject } from '../../json/value.ts';
import type { CollectionCount } from '../store/store.ts';

/** A row of data that the contract rejects. */
export interface BadRow {
  /** The concrete path of its collection. */
  readonly collection: string;
  /** Its index among the rows of the collection, from 0. */
  readonly index: number;
  /** The location of the row in its file: `orders.yaml:12:3`; undefined without a file. */
  readonly place?: string | undefined;
  /** Why it is rejected, in words, without a full stop. */
  readonly reason: string;
}

/** An error for data that the contract rejects; none of the data was stored. */
export class DataError extends ClocheError {
  readonly rows: readonly BadRow[];

  /** Lists all bad rows, at least one. The subject is the file, or the name of the data. */
  constructor({
    subject,
    rows,
    attempt = 'import',
  }: {
    readonly subject: string;
    readonly rows: readonly BadRow[];
    /** @defaultValue 'import' */
    readonly attempt?: 'import' | 'put';
  }) {
    const named = rows.slice(0, mostNamed).map(({ collection, index, place, reason }) => {
      // A wrong path is wrong for all of its rows, and the reason starts with it.
      const row = reason.startsWith(`${collection} `) ? '' : `${collection}, row ${index + 1}: `;
      return place === undefined ? `${row}${reason}` : `${place}: ${reason}`;
    });
    const rest = rows.length - named.length;
    super('DATA_INVALID', {
      attempt,
      subject,
      reason: `${named.join('; ')}${rest > 0 ? `; and ${rest} more rows` : ''}`,
      remedy: attempt === 'put' ? 'Nothing was stored' : 'Nothing was imported',
    });
    this.rows = rows;
  }
}

/** The maximum number of rows in a message. */
const mostNamed = 10;

/** The result of the last import of the initial data. */
export interface DataReport {
  /** The source: `given` for given or generated data, `examples` if all of it is from the document's examples. */
  readonly source: 'given' | 'examples';
  /** The imported rows by the concrete paths of collections, in the order of the data. */
  readonly collections: readonly CollectionCount[];
  /** The number of new rows. */
  readonly added: number;
  /** The number of rows that existed already: in a store that outlives the mock, or unchanged in changed data. */
  readonly present: number;
  /** The number of rows that replaced a resource with their id. */
  readonly replaced: number;
  /** The number of rows that were removed because changed data does not contain them. */
  readonly removed: number;
  /** Rows that were left out because the contract or the existing state rejects them. */
  readonly left: readonly BadRow[];
  /** Collections for which fewer rows were generated than requested, nested ones by their template. */
  readonly short: readonly {
    readonly collection: string;
    readonly made: number;
    readonly wanted: number;
    /** `alike` if no more distinct rows were found; `many-nested` if there would be too many below other items. */
    readonly reason: 'alike' | 'many-nested';
  }[];
}

/** A collection of the state, or a singleton, and the number of its resources. */
export interface StateCollection extends CollectionCount {
  readonly kind: 'collection' | 'singleton';
  /** The property that identifies its resources; null if there is none. */
  readonly key: string | null;
  /** False if requests get samples, because only data can fill it and there is none. */
  readonly isKept: boolean;
}

/** A resource in the form of the state interface. */
export interface StateResource {
  /** The id as a JSON text: `1`, `"basil"`; `0` for a singleton; `1 2` for a later resource with the same id. */
  readonly key: string;
  readonly value: JsonObject;
}

/** A page of the resources of a collection. */
export interface StatePage {
  /** The number of resources or, in a search, of matches. */
  readonly total: number;
  readonly resources: readonly StateResource[];
}

/** The requested part of a collection. */
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

/** Exported resources by collection path: `{ "/orders": [{ "id": 1 }] }`. A singleton is a list of one. */
export type StateRows = Readonly<Record<string, readonly JsonObject[]>>;

/**
 * Rows as input, by the concrete path of their collection, with one object for a singleton
 * (`{ "/orders": [{ "id": 1 }], "/shops/7/orders": [{ "id": 2 }], "/settings": { "theme": "dark" } }`),
 * or without a path, if there is only one collection for them.
 */
export type GivenRows = Readonly<Record<string, readonly JsonObject[] | JsonObject>> | readonly JsonObject[];

/** Returns rows by path without `$schema`, which names the schema of a data file for editors. */
export function withoutSchema<Row>(rows: Readonly<Record<string, Row>>): Readonly<Record<string, Row>> {
  const { $schema: _, ...others } = rows;
  return others;
}

/** Returns the paths of collections in rows; rows without a path have none. */
export function listPaths(rows: GivenRows): readonly string[] {
  // Callers in JavaScript may pass any value.
  return Array.isArray(rows) ? [] : Object.keys(rows ?? {}).filter((path) => path !== '$schema');
}

/** The numbers of imported resources. */
export interface Imported {
  readonly added: number;
  readonly replaced: number;
}

/** The state of a mock. Each collection is named by its concrete path, `/shops/7/orders`. */
export interface MockState {
  /** Lists the collections and the singletons, including empty ones if their path has no parameters. */
  collections(): Promise<readonly StateCollection[]>;
  /**
   * Lists resources of a collection, in the order of creation.
   *
   * @throws ClocheError DATA_INVALID if it is empty and the document has no collection with this path
   */
  list(collection: string, query?: StateQuery): Promise<StatePage>;
  /**
   * @param key - as in StateResource; a text may omit its quotes if no other key is meant then. A singleton needs none.
   * @throws ClocheError DATA_INVALID in the same cases as list()
   */
  get(collection: string, key?: string): Promise<StateResource | undefined>;
  /**
   * Stores a resource, in place of one that has its id.
   *
   * @throws DataError if the document has no collection with this path or rejects the resource
   */
  put(collection: string, value: JsonObject): Promise<StateResource>;
  /**
   * Deletes a resource and all items below it; false if it did not exist.
   *
   * @throws ClocheError DATA_INVALID in the same cases as list()
   */
  delete(collection: string, key?: string): Promise<boolean>;
  /** Exports all resources in the form that import() accepts. */
  export(): Promise<StateRows>;
  /**
   * Imports all resources, or none if one is rejected.
   *
   * @param mode - `replace` empties the state first, `merge` keeps existing resources
   * @throws DataError which names each rejected row
   */
  import(rows: GivenRows, mode?: 'replace' | 'merge'): Promise<Imported>;
  /** Saves the current state under a name, in place of an earlier one. */
  save(name: string): Promise<void>;
  /** Restores the state that was saved under a name; false if there is none. */
  restore(name: string): Promise<boolean>;
  /** Deletes the state that was saved under a name; false if there was none. */
  forget(name: string): Promise<boolean>;
  /** Lists the saved states by name, with the number of their resources. */
  snapshots(): Promise<readonly CollectionCount[]>;
}

const places = new WeakMap<object, TextLocation>();

/** Records the location of a row in its file, for error messages. */
export function notePlace(row: object, place: TextLocation): void {
  places.set(row, place);
}

/** Returns the location of a row: `orders.yaml:12:3`; undefined if it is not from a file. */
export function placeOfRow(row: unknown): string | undefined {
  const place = typeof row === 'object' && row !== null ? places.get(row) : undefined;
  return place === undefined ? undefined : `${place.file}:${place.line}:${place.column}`;
}

/** Returns the file of a row. */
export function fileOfRow(row: unknown): string | undefined {
  return typeof row === 'object' && row !== null ? places.get(row)?.file : undefined;
}

/** Returns a name of rows for messages: the file of the rows, or else their collections. */
export function nameRows(rows: StateRows): string {
  const first = Object.values(rows).find((list) => list.length > 0)?.[0];
  return fileOfRow(first) ?? Object.keys(rows).slice(0, 5).join(', ');
}
