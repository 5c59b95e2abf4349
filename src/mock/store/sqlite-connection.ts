import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type Database from 'libsql';
import type { MaybePromise } from '../message.ts';
import type { Outage, StoreUse } from './driver.ts';

/** The beginnings of the codes of SQLite, with their reasons. */
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

/** Returns true if another process has locked the file. */
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
  // Ids, claims, names and snapshots are JSON texts.
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

/** Finds the problem with the path of a database file, without opening it and without a full stop. */
export function findPathProblem(path: string): string | undefined {
  const folder = dirname(path);
  const stats = look(path);
  if (stats?.isDirectory() === true) return 'it is a folder';
  if (stats !== undefined && !stats.isFile()) return 'it is no file, but a device, a pipe or a socket';
  if (look(folder)?.isDirectory() !== true) return `there is no folder ${folder}`;
  try {
    // SQLite creates further files in the folder.
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (stats !== undefined) accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    return 'it, or its folder, may not be written';
  }
}

/** "Cloc", which identifies a database of Cloche. */
const applicationId = 0x43_6c_6f_63;

/**
 * Names, ids and claims are JSON texts (see toKeyText). Resources are ordered by rowid, which a replacement keeps. A
 * collection exists once it has had a number or a resource.
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
 * Each collection stores the number of its resources, to avoid counting. `latest` is the highest rowid of a deleted
 * resource. It prevents the reuse of a rowid, because a page may begin after it.
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

/** The migrations that create the tables of each version from those of the previous one. */
const versions: readonly string[] = [firstTables, countsAndPositions];

function readNumber(database: Database.Database, sql: string): number {
  // `as`: each statement returns one row with one number.
  const [[number]] = database.prepare(sql).raw().all() as [[number]];
  return number;
}

/** Finds the reason that a database cannot be used, without a full stop. */
function findForeignTables(database: Database.Database): string | undefined {
  const owner = readNumber(database, 'PRAGMA application_id');
  const found = readNumber(database, 'PRAGMA user_version');
  if (owner === applicationId)
    return found > versions.length ? 'a later version of Cloche wrote it' : undefined;
  const isEmpty = readNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  return isEmpty && owner === 0 && found === 0 ? undefined : 'it is the database of another program';
}

/**
 * Creates the tables, or migrates those of an earlier version. Several processes may call it concurrently: one does it.
 *
 * In WAL mode, readers and the one writer do not wait for each other. With `synchronous = NORMAL`, the operating system
 * has all committed data, so a killed process loses nothing. After a power failure, the last moments may be missing,
 * but the file is intact. FULL would wait for the disk at each request.
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
  /** Returns the rows of a query, each as a list of its columns. */
  readonly all: (sql: string, ...values: readonly (string | number)[]) => readonly (readonly unknown[])[];
  /** Returns the number of rows that a statement has changed. */
  readonly run: (sql: string, ...values: readonly (string | number)[]) => number;
}

type UseStatements = <T>(work: (statements: SqliteStatements) => T) => MaybePromise<T>;

/**
 * A connection to a database file that may become unavailable temporarily. It answers synchronously, or later if
 * another process has locked the file. If it fails, it throws StoreUnavailable, or rejects with it.
 */
export interface SqliteConnection {
  /** Reads with one statement. */
  readonly read: UseStatements;
  /** Reads with several statements that see the same state. */
  readonly readTogether: UseStatements;
  /** Changes data: everything is committed when this returns, and nothing when it throws. */
  readonly write: UseStatements;
  readonly close: () => void;
}

interface Opened extends SqliteStatements {
  readonly database: Database.Database;
  /** Identifies the opened file; another file with the same name has another inode. */
  readonly inode: number;
}

interface SqliteFile {
  readonly openDatabase: () => Database.Database;
  readonly path: string;
  /** The time that a request waits for other writing processes, in milliseconds. */
  readonly patience: number;
}

/**
 * The time to wait within SQLite, in milliseconds: many times the duration of a write of another mock. The wait blocks
 * the process, so a request that must wait longer is retried later.
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
    // `as`: a raw statement returns lists. get() would leave the statement open, and the connection would keep seeing
    // an old state.
    all: (sql, ...values) => prepared(sql, true).all(values) as unknown[][],
    run: (sql, ...values) => prepared(sql, false).run(values).changes,
  };
}

function transact<T>(database: Database.Database, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
  // Uses exec, which leaves no statement behind: a prepared BEGIN that found the file locked would keep its lock.
  database.exec(begin);
  try {
    const made = work();
    database.exec('COMMIT');
    return made;
  } catch (error) {
    // A full disk has already caused a rollback.
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Creates a connection to a database file. SQLite would continue to write to a deleted file. Each access therefore
 * checks that the path still leads to the opened file.
 */
export function createSqliteConnection(file: SqliteFile, outage: Outage): SqliteConnection {
  const { path, patience } = file;
  let current = open(file);
  let isClosed = false;
  /** The kinds of access for which a wait has timed out. No other access of this kind waits until one succeeds. */
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
