import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cannotOpen, loadDriver, type OuterStoreUrl, Outage } from './driver.ts';
import {
  createSqliteConnection,
  describeSqliteFailure,
  findPathProblem,
  isBusy,
  type SqliteConnection,
  type SqliteStatements,
} from './sqlite-connection.ts';
import {
  countContent,
  fromKeyText,
  fromNameText,
  type KeptCollection,
  type KeptResource,
  type ListedResource,
  sortByName,
  type Store,
  type StoreContent,
  type StoredResource,
  type StoredTree,
  type KeepOutcome,
  type StorePlace,
  toCount,
  type StoreOutcome,
  type StorePage,
  type SwapOutcome,
  toKeyText,
  type TreeOutcome,
} from './store.ts';

/** The claims of a resource as a list in one column: the text of a claim contains no line break. */
const claimsOf = `(SELECT group_concat(claim, char(10)) FROM claim
  WHERE claim.collection = resource.collection AND claim.key = resource.key)`;

const forgetAll = ['DELETE FROM collection', 'DELETE FROM claim', 'DELETE FROM resource'];

const toTexts = ({ collection, key }: StorePlace) => [toKeyText(collection), toKeyText(key)] as const;

function readText({ all }: SqliteStatements, place: StorePlace): string | undefined {
  const [row] = all('SELECT text FROM resource WHERE collection = ? AND key = ?', ...toTexts(place));
  return row === undefined ? undefined : String(row[0]);
}

function lacksParent(statements: SqliteStatements, { parents }: StoredResource): boolean {
  return parents?.some((place) => readText(statements, place) !== undefined) === false;
}

function findTakenClaim({ all }: SqliteStatements, resource: StoredResource): string | undefined {
  const [collection, key] = toTexts(resource);
  return resource.claims.find((claim) => {
    const sql = 'SELECT key FROM claim WHERE collection = ? AND claim = ?';
    const [holder] = all(sql, collection, toKeyText(claim));
    return holder !== undefined && holder[0] !== key;
  });
}

function keep({ run }: SqliteStatements, resource: StoredResource): void {
  const [collection, key] = toTexts(resource);
  run(
    `INSERT INTO resource (id, collection, key, text)
      VALUES (1 + (SELECT max(latest.id, (SELECT ifnull(max(id), 0) FROM resource)) FROM latest), ?, ?, ?)
      ON CONFLICT (collection, key) DO UPDATE SET text = excluded.text`,
    collection,
    key,
    resource.text,
  );
  for (const claim of new Set(resource.claims)) {
    run('INSERT INTO claim (collection, claim, key) VALUES (?, ?, ?)', collection, toKeyText(claim), key);
  }
}

function release({ run }: SqliteStatements, place: StorePlace): void {
  run('DELETE FROM claim WHERE collection = ? AND key = ?', ...toTexts(place));
}

function toKept([key, text, claims]: readonly unknown[]): KeptResource {
  return {
    key: fromKeyText(String(key)),
    text: String(text),
    claims: typeof claims === 'string' ? claims.split('\n').map((claim) => fromNameText(claim)) : [],
  };
}

/** Stores a resource or replaces the one with its id; `isNew` if there is none. */
function put(statements: SqliteStatements, resource: StoredResource, isNew = false): KeepOutcome {
  const claim = findTakenClaim(statements, resource);
  if (claim !== undefined) return { kind: 'claim-taken', claim };
  if (!isNew) release(statements, resource);
  keep(statements, resource);
  return { kind: 'stored' };
}

function list({ all }: SqliteStatements, collection: string, page: StorePage): readonly ListedResource[] {
  const { offset = 0, after, limit, order } = page;
  const isDescending = order === 'descending';
  const from = after ?? (isDescending ? Number.MAX_SAFE_INTEGER : -1);
  return all(
    `SELECT id, key, text, ${claimsOf} FROM resource
      WHERE collection = ? AND id ${isDescending ? '<' : '>'} ?
      ORDER BY id ${isDescending ? 'DESC' : 'ASC'} LIMIT ? OFFSET ?`,
    toKeyText(collection),
    from,
    Math.min(limit, Number.MAX_SAFE_INTEGER),
    Math.min(offset, Number.MAX_SAFE_INTEGER),
  ).map(([position, ...columns]) => ({ ...toKept(columns), position: Number(position) }));
}

/** Deletes one resource; returns false if there is none, or if its text is not the one that was read. */
function remove(statements: SqliteStatements, place: StorePlace, was: string | undefined): boolean {
  if (was !== undefined && readText(statements, place) !== was) return false;
  release(statements, place);
  return statements.run('DELETE FROM resource WHERE collection = ? AND key = ?', ...toTexts(place)) === 1;
}

function deleteTree(statements: SqliteStatements, tree: StoredTree): TreeOutcome {
  // Texts that begin with a path and a slash sort from that text up to the path with the character after the slash.
  const start = toKeyText(tree.path).slice(0, -1);
  const below = [`${start}/`, `${start}0`] as const;
  const { all, run } = statements;
  if (tree.below === 'refuse') {
    const text = readText(statements, tree);
    if (text === undefined || text !== (tree.was ?? text)) return 'absent';
    const sql = 'SELECT 1 FROM collection WHERE name >= ? AND name < ? AND held > 0 LIMIT 1';
    if (all(sql, ...below).length > 0) return 'not-empty';
  }
  if (!remove(statements, tree, tree.was)) return 'absent';
  const columns = { collection: 'name', claim: 'collection', resource: 'collection' };
  for (const [table, column] of Object.entries(columns)) {
    run(`DELETE FROM ${table} WHERE ${column} >= ? AND ${column} < ?`, ...below);
  }
  return 'deleted';
}

function dump({ all }: SqliteStatements): StoreContent {
  return {
    collections: all('SELECT name, last_number FROM collection ORDER BY id').map(
      ([name, lastNumber]): KeptCollection => ({
        name: fromNameText(String(name)),
        lastNumber: Number(lastNumber),
        resources: all(
          `SELECT key, text, ${claimsOf} FROM resource WHERE collection = ? ORDER BY id`,
          String(name),
        ).map(toKept),
      }),
    ),
  };
}

function load(statements: SqliteStatements, content: StoreContent): void {
  forgetAll.forEach((sql) => statements.run(sql));
  for (const { name, lastNumber, resources } of content.collections) {
    statements.run('INSERT INTO collection (name, last_number) VALUES (?, ?)', toKeyText(name), lastNumber);
    for (const resource of resources) keep(statements, { collection: name, ...resource });
  }
}

function readSnapshotText({ all }: SqliteStatements, name: string): string | undefined {
  const [row] = all('SELECT content FROM snapshot WHERE name = ?', toKeyText(name));
  return row === undefined ? undefined : String(row[0]);
}

function saveSnapshot({ run }: SqliteStatements, name: string, content: StoreContent): void {
  run(
    'INSERT OR REPLACE INTO snapshot (name, count, content) VALUES (?, ?, ?)',
    toKeyText(name),
    countContent(content),
    JSON.stringify(content),
  );
}

function deleteSnapshot({ run }: SqliteStatements, name: string): boolean {
  return run('DELETE FROM snapshot WHERE name = ?', toKeyText(name)) === 1;
}

/**
 * Creates a store that keeps everything in a SQLite file, which several processes may share. It commits before it
 * answers.
 *
 * It answers synchronously: a write takes about 40 µs, far less than the way to a thread and back. While another
 * process has locked the file, it answers later.
 */
function createSqliteStore(connection: SqliteConnection): Store {
  const { read, readTogether, write } = connection;
  return {
    insertIfAbsent: (resource) =>
      write((statements): StoreOutcome => {
        if (lacksParent(statements, resource)) return { kind: 'parent-missing' };
        const text = readText(statements, resource);
        return text === undefined ? put(statements, resource, true) : { kind: 'key-taken', text };
      }),
    replace: (resource) =>
      write((statements) =>
        lacksParent(statements, resource) ? { kind: 'parent-missing' } : put(statements, resource),
      ),
    swap: (resource, was) =>
      write((statements): SwapOutcome =>
        readText(statements, resource) === was ? put(statements, resource) : { kind: 'changed' },
      ),
    get: (collection, key) => read((statements) => readText(statements, { collection, key })),
    claims: (collection, key) =>
      read(({ all }) =>
        all('SELECT claim FROM claim WHERE collection = ? AND key = ?', ...toTexts({ collection, key })).map(
          ([claim]) => fromNameText(String(claim)),
        ),
      ),
    nextNumber: (collection) =>
      write(({ all }) => {
        const [row] = all(
          `INSERT INTO collection (name, last_number) VALUES (?, 1)
            ON CONFLICT (name) DO UPDATE SET last_number = last_number + 1 RETURNING last_number`,
          toKeyText(collection),
        );
        return Number(row?.[0]);
      }),
    passNumber: (collection, number) =>
      write(({ run }) => {
        run(
          `INSERT INTO collection (name, last_number) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET last_number = max(last_number, excluded.last_number)`,
          toKeyText(collection),
          number,
        );
      }),
    delete: (collection, key, was) => write((statements) => remove(statements, { collection, key }, was)),
    deleteTree: (tree) => write((statements) => deleteTree(statements, tree)),
    count: (collection) =>
      read(({ all }) =>
        Number(all('SELECT held FROM collection WHERE name = ?', toKeyText(collection))[0]?.[0] ?? 0),
      ),
    collections: () =>
      read(({ all }) => all('SELECT name, held FROM collection WHERE held > 0 ORDER BY id').map(toCount)),
    list: (collection, page) => read((statements) => list(statements, collection, page)),
    dump: () => readTogether(dump),
    load: (content) => write((statements) => load(statements, content)),
    loadIfEmpty: (content) =>
      write((statements) => {
        const isEmpty = statements.all('SELECT 1 FROM resource LIMIT 1').length === 0;
        if (isEmpty) load(statements, content);
        return isEmpty;
      }),
    saveSnapshot: (name, content) => write((statements) => saveSnapshot(statements, name, content)),
    readSnapshot: (name) =>
      read((statements) => {
        const text = readSnapshotText(statements, name);
        // `as`: saveSnapshot wrote it.
        return text === undefined ? undefined : (JSON.parse(text) as StoreContent);
      }),
    swapSnapshot: ({ name, was, is }) =>
      write((statements) => {
        if (readSnapshotText(statements, name) !== (was && JSON.stringify(was))) return false;
        if (is === undefined) deleteSnapshot(statements, name);
        else saveSnapshot(statements, name, is);
        return true;
      }),
    deleteSnapshot: (name) => write((statements) => deleteSnapshot(statements, name)),
    snapshots: () => read(({ all }) => sortByName(all('SELECT name, count FROM snapshot').map(toCount))),
    reset: () => write(({ run }) => forgetAll.forEach((sql) => run(sql))),
    close: connection.close,
  };
}

/** The default wait in milliseconds, long enough for any number of mocks that write in turn. */
const usualPatience = 3000;

/** Retries while other processes create the same file: SQLite then reports the lock without waiting. */
async function retry(
  connect: () => SqliteConnection,
  deadline = Date.now() + usualPatience,
): Promise<SqliteConnection> {
  try {
    return connect();
  } catch (error) {
    if (!isBusy(error) || Date.now() > deadline) throw error;
    await wait(10 + 20 * Math.random());
    return retry(connect, deadline);
  }
}

/**
 * Opens or creates a SQLite file that keeps the state of mocks. A file with other content stays unchanged.
 *
 * @param input.tell - receives a sentence when the file becomes unavailable, and when it is available again
 * @param input.patience - the time that a request waits for other writing processes, in milliseconds
 * @throws ClocheError STORE_UNUSABLE if the driver is not installed or the file cannot be used
 */
export async function openSqliteStore(
  input: Omit<Extract<OuterStoreUrl, { readonly kind: 'file' }>, 'kind'> & {
    readonly tell: (sentence: string) => void;
    readonly patience?: number;
  },
): Promise<Store> {
  const { place, tell, patience = usualPatience } = input;
  // Resolved now, because the working directory may change.
  const path = resolve(input.path);
  const remedy = 'Name a file of an earlier mock, or one that is not there yet in a folder that is';
  const { default: Database } = await loadDriver('libsql', place, () => import('libsql'));
  const problem = findPathProblem(path);
  if (problem !== undefined) throw cannotOpen({ place, reason: problem, remedy });
  const outage = new Outage(place, tell);
  const openDatabase = () => new Database(path);
  try {
    return createSqliteStore(
      await retry(() => createSqliteConnection({ openDatabase, path, patience }, outage)),
    );
  } catch (error) {
    const reason = describeSqliteFailure(error) ?? (error instanceof Error ? error.message : String(error));
    throw cannotOpen({ place, reason, remedy, cause: error });
  }
}
