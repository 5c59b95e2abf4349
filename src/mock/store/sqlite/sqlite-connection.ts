import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type Database from 'libsql';
import type { MaybePromise } from '../../maybe-promise.ts';
import type { Outage, StoreUse } from '../create-outage.ts';
import { describeSqliteFailure, isBusy } from './describe-sqlite-failure.ts';
import { findPathProblem } from './find-path-problem.ts';
import { findForeignTables, prepareTables } from './sqlite-tables.ts';

/** What a statement is given. */
export type SqliteValue = string | number;

/** Statements of a database, each compiled once. */
export interface SqliteStatements {
  /** The rows of a query, each a list of its columns. */
  readonly all: (sql: string, ...values: readonly SqliteValue[]) => readonly (readonly unknown[])[];
  /** How many rows a statement has changed. */
  readonly run: (sql: string, ...values: readonly SqliteValue[]) => number;
}

/**
 * A database file that may go away, and come back. It answers at once, or later where another process keeps the file
 * locked: then it throws nothing, but rejects.
 */
export interface SqliteConnection {
  /**
   * Reads, by one statement.
   *
   * @throws StoreUnavailable
   */
  readonly read: <T>(work: (statements: SqliteStatements) => T) => MaybePromise<T>;
  /**
   * Reads by several statements, all of which see one moment.
   *
   * @throws StoreUnavailable
   */
  readonly readTogether: <T>(work: (statements: SqliteStatements) => T) => MaybePromise<T>;
  /**
   * Changes something: all of it is committed when this returns, or nothing is when it throws.
   *
   * @throws StoreUnavailable
   */
  readonly write: <T>(work: (statements: SqliteStatements) => T) => MaybePromise<T>;
  readonly close: () => void;
}

interface Opened extends SqliteStatements {
  readonly database: Database.Database;
  /** Tells the file that was opened from another one under its name. */
  readonly inode: number;
}

/** How a database file is opened. */
interface SqliteFile {
  /** Opens the file, or makes it. */
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
      if (isQuery) {
        statement.raw();
      }
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

/** What is under a path, as a number; undefined where there is nothing. */
function inodeAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Does work that sees one moment, and of which all is committed, or nothing. */
function transact<T>(
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  opened: Opened,
  work: (statements: SqliteStatements) => T,
): T {
  const { database } = opened;
  // Through exec, which leaves nothing behind: a compiled BEGIN that found the file locked would hold its lock
  // from then on.
  database.exec(begin);
  try {
    const made = work(opened);
    database.exec('COMMIT');
    return made;
  } catch (error) {
    // A full disk has rolled it back already.
    if (database.inTransaction) {
      database.exec('ROLLBACK');
    }
    throw error;
  }
}

/**
 * Keeps a connection to a database file. A file that was deleted would be written on, where nobody finds it: so
 * before each use it is looked whether the file under the path is still the one that was opened.
 *
 * @throws whatever speaks against the file
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
      inode = inodeAt(path);
    } catch (cause) {
      throw outage.failed({ use: 'read', reason: 'its folder cannot be read', cause });
    }
    if (inode === current.inode) {
      return current;
    }
    if (inode === undefined) {
      throw outage.failed({ use: 'read', reason: 'the file was deleted or moved' });
    }
    const problem = findPathProblem(path);
    try {
      if (problem !== undefined) {
        throw new Error(problem);
      }
      const next = open(file);
      current.database.close();
      current = next;
      return next;
    } catch (cause) {
      if (isBusy(cause)) {
        throw cause;
      }
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
        if (isClosed) {
          throw outage.failed({ use, reason: 'the mock was closed' });
        }
        return attempt(use, work);
      } catch (error) {
        if (!isBusy(error)) {
          throw toFailure(use, error);
        }
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
      if (isBusy(error) && !vain.has(use)) {
        return attemptLater(use, work);
      }
      throw toFailure(use, error);
    }
  }

  return {
    read: (work) => reachOut('read', work),
    readTogether: (work) => reachOut('read', (opened) => transact('BEGIN', opened, work)),
    write: (work) => reachOut('write', (opened) => transact('BEGIN IMMEDIATE', opened, work)),
    close() {
      isClosed = true;
      current.database.close();
    },
  };
}
