import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type Database from 'libsql';
import type { MaybePromise } from '../message.ts';
import type { Outage, StoreUse } from './driver.ts';

/** How the codes of SQLite begin. */
const reasons: readonly (readonly [beginning: RegExp, reason: string])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/u, 'another program keeps it locked'],
  [/^SQLITE_FULL/u, 'the disk is full'],
  [/^SQLITE_(?:READONLY|PERM)/u, 'it may not be written'],
  [/^SQLITE_CANTOPEN/u, 'it cannot be opened'],
  [/^SQLITE_IOERR/u, 'the disk fails to read or write it'],
  [/^SQLITE_NOTADB/u, 'it is no SQLite database'],
  [/^SQLITE_CORRUPT/u, 'it is damaged'],
  [/^SQLITE_(?:ERROR|SCHEMA)/u, 'its tables are not those that were there before'],
];

/** Whether another process is about to write, or to read what is being written. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/**
 * Explains an error of SQLite or of a value in the database, without a full stop; undefined for other errors.
 *
 * @see https://www.sqlite.org/rescode.html
 */
export function describeSqliteFailure(error: unknown): string | undefined {
  if (error instanceof Error && error.message.startsWith('ConnectionFailed(')) return 'it cannot be opened';
  // Keys, claims, names and snapshots are JSON texts.
  if (error instanceof SyntaxError) {
    return `another program changed a value in it (${error.message}): reset the state, or restore a snapshot`;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof Error) || !code.startsWith('SQLITE_')) return undefined;
  const [, reason] = reasons.find(([beginning]) => beginning.test(code)) ?? [];
  return reason === undefined ? `${error.message} (${code})` : `${reason} (${code})`;
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What speaks against a database file under a path, without a full stop, as far as can be told without opening it. */
export function findPathProblem(path: string): string | undefined {
  const folder = dirname(path);
  const stats = look(path);
  if (stats?.isDirectory() === true) return 'it is a folder';
  if (stats !== undefined && !stats.isFile()) return 'it is no file, but a device, a pipe or a socket';
  if (look(folder)?.isDirectory() !== true) return `there is no folder ${folder}`;
  try {
    // SQLite makes files beside it.
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (stats !== undefined) accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    return 'it, or its folder, may not be written';
  }
}

/** "Cloc", which marks a database as one of ours. */
const applicationId = 0x43_6c_6f_63;

/**
 * Names, keys and claims are JSON texts (see toKeyText). The order of the resources is that of their rowid, which
 * a replacement leaves as it is. A collection is there once it was asked for a number or held a resource.
 */
const firstTables = `
  CREATE TABLE collection (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    last_number INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE resource (
    id INTEGER PRIMARY KEY,
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (collection, key)
  ) STRICT;
  CREATE INDEX resource_order ON resource (collection, id);
  CREATE TRIGGER resource_collection AFTER INSERT ON resource BEGIN
    INSERT INTO collection (name) VALUES (new.collection) ON CONFLICT DO NOTHING;
  END;
  CREATE TABLE claim (
    collection TEXT NOT NULL,
    claim TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (collection, claim)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX claim_holder ON claim (collection, key);
  CREATE TABLE snapshot (
    name TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    content TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${applicationId};
`;

/**
 * Each collection says how many resources it holds, so that nobody has to count them; and `latest` has the highest rowid
 * of a resource that was deleted, so that none is given twice: a page may begin behind it.
 */
const countsAndPositions = `
  ALTER TABLE collection ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
  UPDATE collection SET held = (SELECT count(*) FROM resource WHERE collection = name);
  CREATE TABLE latest (id INTEGER PRIMARY KEY) STRICT;
  INSERT INTO latest (id) VALUES (0);
  DROP TRIGGER resource_collection;
  CREATE TRIGGER resource_kept AFTER INSERT ON resource BEGIN
    INSERT INTO collection (name, held) VALUES (new.collection, 1)
      ON CONFLICT (name) DO UPDATE SET held = held + 1;
  END;
  CREATE TRIGGER resource_deleted AFTER DELETE ON resource BEGIN
    UPDATE collection SET held = held - 1 WHERE name = old.collection;
    UPDATE latest SET id = old.id WHERE id < old.id;
  END;
`;

/** What makes the tables of each version from those of the one before: the first of nothing. */
const versions: readonly string[] = [firstTables, countsAndPositions];

function readNumber(database: Database.Database, sql: string): number {
  // `as`: each of these gives one row with one number.
  const [[number]] = database.prepare(sql).raw().all() as [[number]];
  return number;
}

/** What speaks against keeping state in a database, without a full stop. */
function findForeignTables(database: Database.Database): string | undefined {
  const owner = readNumber(database, 'PRAGMA application_id');
  const found = readNumber(database, 'PRAGMA user_version');
  if (owner === applicationId)
    return found > versions.length ? 'a later version of Cloche wrote it' : undefined;
  const isEmpty = readNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  return isEmpty && owner === 0 && found === 0 ? undefined : 'it is the database of another program';
}

/**
 * Makes the tables where there are none, and those of an earlier version what they are now. Several processes may do so at once: one does it.
 *
 * In WAL readers and the one writer do not wait for each other. `synchronous = NORMAL`: what was committed is with
 * the operating system, so that a process that is killed loses nothing of it; where the power fails, the last moments
 * may be missing, and the file is whole. FULL would wait for the disk at each request.
 *
 * @throws SqliteError
 */
function prepareTables(database: Database.Database): void {
  database.prepare('PRAGMA journal_mode = WAL').all();
  database.exec('PRAGMA synchronous = NORMAL');
  transact(database, 'BEGIN IMMEDIATE', () => {
    const found = readNumber(database, 'PRAGMA user_version');
    if (found === versions.length) return;
    database.exec([...versions.slice(found), `PRAGMA user_version = ${versions.length}`].join(';'));
  });
}

/** Statements of a database, each compiled once. */
export interface SqliteStatements {
  /** The rows of a query, each a list of its columns. */
  readonly all: (sql: string, ...values: readonly (string | number)[]) => readonly (readonly unknown[])[];
  /** How many rows a statement has changed. */
  readonly run: (sql: string, ...values: readonly (string | number)[]) => number;
}

type UseStatements = <T>(work: (statements: SqliteStatements) => T) => MaybePromise<T>;

/**
 * A database file that may go away, and come back. It answers at once, or later where another process keeps the file
 * locked. Where it cannot, it throws StoreUnavailable, or later rejects with it.
 */
export interface SqliteConnection {
  /** Reads, by one statement. */
  readonly read: UseStatements;
  /** Reads by several statements, all of which see one moment. */
  readonly readTogether: UseStatements;
  /** Changes something: all of it is committed when this returns, or nothing is when it throws. */
  readonly write: UseStatements;
  readonly close: () => void;
}

interface Opened extends SqliteStatements {
  readonly database: Database.Database;
  /** Tells the file that was opened from another one under its name. */
  readonly inode: number;
}

interface SqliteFile {
  readonly openDatabase: () => Database.Database;
  readonly path: string;
  /** How long a request waits for other processes that write, in milliseconds. */
  readonly patience: number;
}

/**
 * How long is waited within SQLite, in milliseconds: many times what a mock beside this one needs to write. Nothing else
 * is answered meanwhile, so whoever waits longer is called again later.
 */
const standstill = 20;

function open({ openDatabase, path }: SqliteFile): Opened {
  const database = openDatabase();
  const foreign = findForeignTables(database);
  if (foreign !== undefined) {
    database.close();
    throw new Error(foreign);
  }
  database.exec(`PRAGMA busy_timeout = ${standstill}`);
  prepareTables(database);
  const statements = new Map<string, Database.Statement>();
  function prepared(sql: string, isQuery: boolean): Database.Statement {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      if (isQuery) statement.raw();
      statements.set(sql, statement);
    }
    return statement;
  }
  return {
    database,
    inode: statSync(path).ino,
    // `as`: a statement that is raw gives lists. get() would leave the statement where it is, and with it the
    // moment that the connection sees.
    all: (sql, ...values) => prepared(sql, true).all(values) as unknown[][],
    run: (sql, ...values) => prepared(sql, false).run(values).changes,
  };
}

function transact<T>(database: Database.Database, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
  // Through exec, which leaves nothing behind: a compiled BEGIN that found the file locked would hold its lock
  // from then on.
  database.exec(begin);
  try {
    const made = work();
    database.exec('COMMIT');
    return made;
  } catch (error) {
    // A full disk has rolled it back already.
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Keeps a connection to a database file. A file that was deleted would be written on, where nobody finds it: so
 * before each use it is looked whether the file under the path is still the one that was opened.
 */
export function createSqliteConnection(file: SqliteFile, outage: Outage): SqliteConnection {
  const { path, patience } = file;
  let current = open(file);
  let isClosed = false;
  /** Uses for which somebody has waited in vain. Nobody else does until one of them works. */
  const vain = new Set<StoreUse>();

  function reach(): Opened {
    let inode;
    try {
      inode = statSync(path, { throwIfNoEntry: false })?.ino;
    } catch (cause) {
      throw outage.failed({ use: 'read', reason: 'its folder cannot be read', cause });
    }
    if (inode === current.inode) return current;
    if (inode === undefined) throw outage.failed({ use: 'read', reason: 'the file was deleted or moved' });
    const problem = findPathProblem(path);
    try {
      if (problem !== undefined) throw new Error(problem);
      const next = open(file);
      current.database.close();
      current = next;
      return next;
    } catch (cause) {
      if (isBusy(cause)) throw cause;
      const said = describeSqliteFailure(cause) ?? (cause instanceof Error ? cause.message : String(cause));
      throw outage.failed({ use: 'read', reason: `another file was put in its place: ${said}`, cause });
    }
  }

  function attempt<T>(use: StoreUse, work: (opened: Opened) => T): T {
    const made = work(reach());
    vain.delete(use);
    outage.worked(use);
    return made;
  }

  function toFailure(use: StoreUse, cause: unknown): unknown {
    const reason = describeSqliteFailure(cause);
    return reason === undefined ? cause : outage.failed({ use, reason, cause });
  }

  async function attemptLater<T>(use: StoreUse, work: (opened: Opened) => T): Promise<T> {
    const deadline = Date.now() + patience;
    for (;;) {
      await wait(5 + 20 * Math.random());
      try {
        if (isClosed) throw outage.failed({ use, reason: 'the mock was closed' });
        return attempt(use, work);
      } catch (error) {
        if (!isBusy(error)) throw toFailure(use, error);
        if (Date.now() > deadline || vain.has(use)) {
          vain.add(use);
          throw toFailure(use, error);
        }
      }
    }
  }

  function reachOut<T>(use: StoreUse, work: (opened: Opened) => T): MaybePromise<T> {
    try {
      return attempt(use, work);
    } catch (error) {
      if (isBusy(error) && !vain.has(use)) return attemptLater(use, work);
      throw toFailure(use, error);
    }
  }

  return {
    read: (work) => reachOut('read', work),
    readTogether: (work) =>
      reachOut('read', (opened) => transact(opened.database, 'BEGIN', () => work(opened))),
    write: (work) =>
      reachOut('write', (opened) => transact(opened.database, 'BEGIN IMMEDIATE', () => work(opened))),
    close() {
      isClosed = true;
      current.database.close();
    },
  };
}
