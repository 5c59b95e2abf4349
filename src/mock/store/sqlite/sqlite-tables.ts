import type Database from 'libsql';

/** "Cloc", which marks a database as one of ours. */
const applicationId = 0x43_6c_6f_63;

/** The tables below. Another number is given to them when they change. */
const version = 1;

/**
 * Names, keys and claims are JSON texts (see key-text.ts). The order of the resources is that of their rowid, which
 * a replacement leaves as it is. A collection is there once it was asked for a number or held a resource.
 */
const tables = `
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
  PRAGMA user_version = ${version};
`;

function readNumber(database: Database.Database, sql: string): number {
  // `as`: each of these gives one row with one number.
  const [[number]] = database.prepare(sql).raw().all() as [[number]];
  return number;
}

/** What speaks against keeping state in a database, without a full stop; it is looked at and left as it is. */
export function findForeignTables(database: Database.Database): string | undefined {
  const owner = readNumber(database, 'PRAGMA application_id');
  const found = readNumber(database, 'PRAGMA user_version');
  if (owner === applicationId) {
    return found > version ? 'a later version of Cloche wrote it' : undefined;
  }
  const isEmpty = readNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  return isEmpty && owner === 0 && found === 0 ? undefined : 'it is the database of another program';
}

/**
 * Makes the tables where there are none. Several processes may do so at once: one does it.
 *
 * In WAL readers and the one writer do not wait for each other. `synchronous = NORMAL`: what was committed is with
 * the operating system, so that a process that is killed loses nothing of it; where the power fails, the last moments
 * may be missing, and the file is whole. FULL would wait for the disk at each request.
 *
 * @throws SqliteError
 */
export function prepareTables(database: Database.Database): void {
  database.prepare('PRAGMA journal_mode = WAL').all();
  database.exec('PRAGMA synchronous = NORMAL');
  database.exec('BEGIN IMMEDIATE');
  try {
    if (readNumber(database, 'PRAGMA application_id') !== applicationId) {
      database.exec(tables);
    }
    database.exec('COMMIT');
  } catch (error) {
    // A full disk has rolled it back already.
    if (database.inTransaction) {
      database.exec('ROLLBACK');
    }
    throw error;
  }
}
