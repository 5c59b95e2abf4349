import { statSync } from 'node:fs';
import type Database from 'libsql';
import type { Outage } from '../create-outage.ts';
import { describeSqliteFailure } from './describe-sqlite-failure.ts';
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

/** A database file that may go away, and come back. */
export interface SqliteConnection {
  /**
   * Reads, at one moment.
   *
   * @throws StoreUnavailable
   */
  readonly read: <T>(work: (statements: SqliteStatements) => T) => T;
  /**
   * Changes something: all of it is committed when this returns, or nothing is when it throws.
   *
   * @throws StoreUnavailable
   */
  readonly write: <T>(work: (statements: SqliteStatements) => T) => T;
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
  /**
   * How long a request waits for other processes that write, in milliseconds. Nothing else is answered meanwhile.
   */
  readonly patience: number;
}

function open({ openDatabase, path, patience }: SqliteFile): Opened {
  const database = openDatabase();
  const foreign = findForeignTables(database);
  if (foreign !== undefined) {
    database.close();
    throw new Error(foreign);
  }
  database.exec(`PRAGMA busy_timeout = ${patience}`);
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

/**
 * Keeps a connection to a database file. A file that was deleted would be written on, where nobody finds it: so
 * before each use it is looked whether the file under the path is still the one that was opened.
 *
 * @throws whatever speaks against the file
 */
export function createSqliteConnection(file: SqliteFile, outage: Outage): SqliteConnection {
  const { path, patience } = file;
  let current = open(file);
  let isPatient = true;

  /** Whoever has waited once in vain does not wait again, or all requests would wait one after the other. */
  function setPatience(wanted: boolean): void {
    isPatient = wanted;
    current.database.exec(`PRAGMA busy_timeout = ${wanted ? patience : 0}`);
  }

  function fail(error: unknown): never {
    const reason = describeSqliteFailure(error);
    if (reason === undefined) {
      throw error;
    }
    setPatience(false);
    throw outage.failed(reason, error);
  }

  function noteWorked(): void {
    outage.worked();
    if (!isPatient) {
      setPatience(true);
    }
  }

  function reach(): Opened {
    let inode;
    try {
      inode = inodeAt(path);
    } catch (error) {
      throw outage.failed('its folder cannot be read', error);
    }
    if (inode === current.inode) {
      return current;
    }
    if (inode === undefined) {
      throw outage.failed('the file was deleted or moved');
    }
    try {
      const next = open(file);
      current.database.close();
      current = next;
      return next;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw outage.failed(
        `another file was put in its place: ${describeSqliteFailure(error) ?? reason}`,
        error,
      );
    }
  }

  return {
    read(work) {
      const opened = reach();
      try {
        const found = work(opened);
        noteWorked();
        return found;
      } catch (error) {
        return fail(error);
      }
    },
    write(work) {
      const opened = reach();
      try {
        // Through exec, which leaves nothing behind: a compiled BEGIN that found the file locked would hold its lock
        // from then on.
        opened.database.exec('BEGIN IMMEDIATE');
      } catch (error) {
        return fail(error);
      }
      try {
        const made = work(opened);
        opened.database.exec('COMMIT');
        noteWorked();
        return made;
      } catch (error) {
        if (opened.database.inTransaction) {
          opened.database.exec('ROLLBACK');
        }
        return fail(error);
      }
    },
    close() {
      current.database.close();
    },
  };
}
