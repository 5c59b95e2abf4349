import { countContent } from './count-content.ts';
import { fromKeyText, fromNameText, toKeyText } from './key-text.ts';
import type { SqliteConnection, SqliteStatements } from './sqlite/sqlite-connection.ts';
import type { KeptCollection, KeptResource, StoreContent } from './store-content.ts';
import type { CollectionCount, Store, StoredResource, StoreKey, StoreOutcome } from './store.ts';

const stored: StoreOutcome = { kind: 'stored' };

/** A list of claims in one column: a claim's text has no line break in it. */
const claimsOf = `(SELECT group_concat(claim, char(10)) FROM claim
  WHERE claim.collection = resource.collection AND claim.key = resource.key)`;

const forgetAll = ['DELETE FROM resource', 'DELETE FROM claim', 'DELETE FROM collection'];

function readText({ all }: SqliteStatements, collection: string, key: string): string | undefined {
  const [row] = all('SELECT text FROM resource WHERE collection = ? AND key = ?', collection, key);
  return row === undefined ? undefined : String(row[0]);
}

/** The claim of a resource that another one holds. */
function findTakenClaim({ all }: SqliteStatements, resource: StoredResource): string | undefined {
  const collection = toKeyText(resource.collection);
  const key = toKeyText(resource.key);
  return resource.claims.find((claim) => {
    const sql = 'SELECT key FROM claim WHERE collection = ? AND claim = ?';
    const [holder] = all(sql, collection, toKeyText(claim));
    return holder !== undefined && holder[0] !== key;
  });
}

/** Keeps a resource whose claims nobody holds. */
function keep({ run }: SqliteStatements, resource: StoredResource): void {
  const collection = toKeyText(resource.collection);
  const key = toKeyText(resource.key);
  run(
    `INSERT INTO resource (collection, key, text) VALUES (?, ?, ?)
      ON CONFLICT (collection, key) DO UPDATE SET text = excluded.text`,
    collection,
    key,
    resource.text,
  );
  for (const claim of new Set(resource.claims)) {
    run('INSERT INTO claim (collection, claim, key) VALUES (?, ?, ?)', collection, toKeyText(claim), key);
  }
}

function release({ run }: SqliteStatements, collection: string, key: StoreKey): void {
  run('DELETE FROM claim WHERE collection = ? AND key = ?', toKeyText(collection), toKeyText(key));
}

function toKept([key, text, claims]: readonly unknown[]): KeptResource {
  return {
    key: fromKeyText(String(key)),
    text: String(text),
    claims: typeof claims === 'string' ? claims.split('\n').map((claim) => fromNameText(claim)) : [],
  };
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
        ).map((row) => toKept(row)),
      }),
    ),
  };
}

function load(statements: SqliteStatements, content: StoreContent): void {
  forgetAll.forEach((sql) => statements.run(sql));
  for (const { name, lastNumber, resources } of content.collections) {
    statements.run('INSERT INTO collection (name, last_number) VALUES (?, ?)', toKeyText(name), lastNumber);
    for (const resource of resources) {
      keep(statements, { collection: name, ...resource });
    }
  }
}

function toCount([name, count]: readonly unknown[]): CollectionCount {
  return { name: fromNameText(String(name)), count: Number(count) };
}

/**
 * A store that keeps everything in a SQLite file, which several processes may share. What it has answered is
 * committed.
 *
 * It answers at once: a write takes some 40 µs, far less than the way to a thread and back. While another process
 * writes, it waits for as long as the connection is told to.
 */
export function createSqliteStore(connection: SqliteConnection): Store {
  const { read, write } = connection;
  return {
    insertIfAbsent(resource) {
      return write((statements): StoreOutcome => {
        const text = readText(statements, toKeyText(resource.collection), toKeyText(resource.key));
        if (text !== undefined) {
          return { kind: 'key-taken', text };
        }
        const claim = findTakenClaim(statements, resource);
        if (claim !== undefined) {
          return { kind: 'claim-taken', claim };
        }
        keep(statements, resource);
        return stored;
      });
    },
    replace(resource) {
      return write((statements): StoreOutcome => {
        const claim = findTakenClaim(statements, resource);
        if (claim !== undefined) {
          return { kind: 'claim-taken', claim };
        }
        release(statements, resource.collection, resource.key);
        keep(statements, resource);
        return stored;
      });
    },
    get(collection, key) {
      return read((statements) => readText(statements, toKeyText(collection), toKeyText(key)));
    },
    nextNumber(collection) {
      return write(({ all }) => {
        const [row] = all(
          `INSERT INTO collection (name, last_number) VALUES (?, 1)
            ON CONFLICT (name) DO UPDATE SET last_number = last_number + 1 RETURNING last_number`,
          toKeyText(collection),
        );
        return Number(row?.[0]);
      });
    },
    delete(collection, key) {
      return write((statements) => {
        release(statements, collection, key);
        const sql = 'DELETE FROM resource WHERE collection = ? AND key = ?';
        return statements.run(sql, toKeyText(collection), toKeyText(key)) === 1;
      });
    },
    collections() {
      return read(({ all }) =>
        all(
          `SELECT name, (SELECT count(*) FROM resource WHERE collection = name) AS held
            FROM collection WHERE held > 0 ORDER BY id`,
        ).map((row) => toCount(row)),
      );
    },
    list(collection, { offset, limit }) {
      return read(({ all }) =>
        all(
          `SELECT key, text, ${claimsOf} FROM resource WHERE collection = ? ORDER BY id LIMIT ? OFFSET ?`,
          toKeyText(collection),
          Math.min(limit, Number.MAX_SAFE_INTEGER),
          Math.min(offset, Number.MAX_SAFE_INTEGER),
        ).map((row) => toKept(row)),
      );
    },
    dump() {
      // A transaction, so that all of it is of one moment.
      return write(dump);
    },
    load(content) {
      write((statements) => load(statements, content));
    },
    saveSnapshot(name, content) {
      write(({ run }) =>
        run(
          'INSERT OR REPLACE INTO snapshot (name, count, content) VALUES (?, ?, ?)',
          toKeyText(name),
          countContent(content),
          JSON.stringify(content),
        ),
      );
    },
    readSnapshot(name) {
      return read(({ all }) => {
        const [row] = all('SELECT content FROM snapshot WHERE name = ?', toKeyText(name));
        // `as`: saveSnapshot wrote it.
        return row === undefined ? undefined : (JSON.parse(String(row[0])) as StoreContent);
      });
    },
    deleteSnapshot(name) {
      return write(({ run }) => run('DELETE FROM snapshot WHERE name = ?', toKeyText(name)) === 1);
    },
    snapshots() {
      return read(({ all }) =>
        all('SELECT name, count FROM snapshot')
          .map((row) => toCount(row))
          .toSorted((left, right) => (left.name < right.name ? -1 : 1)),
      );
    },
    reset() {
      write(({ run }) => forgetAll.forEach((sql) => run(sql)));
    },
    close() {
      connection.close();
    },
  };
}
