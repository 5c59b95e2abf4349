import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect, test } from 'vitest';
import { hasRedisServer, startRedisServer, withoutRedisServer } from '../../../fixtures/redis-server.ts';
import { someResource } from '../../../fixtures/store-laws.ts';
import { quoteWord } from '../../http/shell-quoting.ts';
import { loadDriver, parseStoreUrl } from './driver.ts';
import { openStore } from './open-store.ts';
import type { OpenedStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-stores-'));
const remedy = 'Name a file of an earlier mock, or one that is not there yet in a folder that is.';

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(text: string): Promise<OpenedStore> {
  const url = parseStoreUrl(text, 'Orders');
  if (url.kind === 'memory') throw new Error('memory is no store to open');
  return openStore(url, () => undefined);
}

/** What a file holds, and whether anything was put beside it. */
function look(path: string): readonly unknown[] {
  return [readFileSync(path), readdirSync(folder).filter((name) => path.includes(name))];
}

test('says how many resources a file held', async () => {
  const url = `file:${join(folder, 'held.db')}`;
  const before = await open(url);
  expect(before).toMatchObject({ kind: 'file', place: url, found: 0 });
  await before.store.insertIfAbsent(someResource());
  await before.store.insertIfAbsent(someResource({ collection: '/others' }));
  await before.close();
  const after = await open(url);
  expect(after.found).toBe(2);
  await after.close();
});

describe('a file that is no store is refused, and left as it is', () => {
  async function refusal(path: string): Promise<string> {
    const before = look(path);
    const error: unknown = await open(`file:${path}`).catch((thrown: unknown) => thrown);
    expect(look(path)).toEqual(before);
    return String(error);
  }

  function makeDatabase(name: string, sql: string): string {
    const path = join(folder, name);
    const database = new Database(path);
    database.exec(sql);
    database.close();
    return path;
  }

  test.each([
    ['of another program', 'CREATE TABLE letter (text TEXT)', 'it is the database of another program'],
    ['with a mark of another program', 'PRAGMA application_id = 7', 'it is the database of another program'],
    [
      'of a later version',
      'PRAGMA application_id = 1131179875; PRAGMA user_version = 3',
      'a later version of Cloche wrote it',
    ],
  ])('a database %s', async (name, sql, reason) => {
    const path = makeDatabase(`${name}.db`, sql);
    expect(await refusal(path)).toBe(
      `ClocheError: Failed to open the store "file:${path}": ${reason}. ${remedy}`,
    );
  });

  test('a text', async () => {
    const path = join(folder, 'notes.txt');
    writeFileSync(path, 'These are notes.'.repeat(100));
    expect(await refusal(path)).toContain('": it is no SQLite database (SQLITE_NOTADB). ');
  });
});

test('says why a file cannot be opened or made', async () => {
  mkdirSync(join(folder, 'drawer'));
  await expect(open(`file:${folder}/drawer`)).rejects.toThrow('": it is a folder. ');
  await expect(open(`file:${folder}/nowhere/a.db`)).rejects.toThrow(
    `": there is no folder ${folder}/nowhere. ${remedy}`,
  );
});

test('says why a path leads to no file, and leaves what is there alone', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await expect(open(`file:${folder}/pipe`)).rejects.toThrow(
    '": it is no file, but a device, a pipe or a socket. ',
  );
  expect(readdirSync(folder).filter((name) => name.startsWith('pipe'))).toEqual(['pipe']);
  // A name that is too long cannot even be asked for.
  await expect(open(`file:${folder}/${'a'.repeat(300)}.db`)).rejects.toThrow('": it cannot be opened. ');
});

test('says that a file is damaged, and does not promise to try again', async () => {
  const path = join(folder, 'damaged.db');
  const { store, close } = await open(`file:${path}`);
  for (let key = 1; key <= 300; key += 1) {
    await store.insertIfAbsent(someResource({ key, text: JSON.stringify('x'.repeat(200)) }));
  }
  await close();
  const database = new Database(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xaa, 4096));
  const error: unknown = await open(`file:${path}`).catch((thrown: unknown) => thrown);
  expect(String(error)).toBe(
    `ClocheError: Failed to read the store "file:${path}": it is damaged (SQLITE_CORRUPT). Fix it, or name another one.`,
  );
});

test('a file may be empty', async () => {
  writeFileSync(join(folder, 'empty.db'), '');
  const { found, close } = await open(`file:${folder}/empty.db`);
  expect(found).toBe(0);
  await close();
});

test.each([
  ['libsql', 'npm install libsql@0.5'],
  ['ioredis', 'npm install ioredis@6'],
] as const)('says how to install the package of a store: %s', async (name, line) => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(loadDriver(name, 'the place', () => Promise.reject(missing))).rejects.toThrow(
    `Failed to open the store "the place": the package ${name}, or the part of it that is made for this system, ` +
      `is not installed. Run "${line}".`,
  );
  // Its words mean nothing else to a shell.
  expect(line.split(' ').map((word) => quoteWord(word))).toEqual(line.split(' '));
});

test('says that nothing listens where a Redis is to be, without its password', async () => {
  const error: unknown = await open('redis://me:secret@127.0.0.1:1/3').catch((thrown: unknown) => thrown);
  expect(String(error)).toBe(
    'ClocheError: Failed to open the store "redis://127.0.0.1:1/3?prefix=cloche:orders": nothing listens there. ' +
      'Start it, or name another one: redis://[user:password@]host[:port][/database][?prefix=name].',
  );
});

describe.skipIf(!hasRedisServer)(`a Redis ${withoutRedisServer}`, () => {
  test('asks for its password, is read back, and keeps what is not the mock’s', async () => {
    const server = await startRedisServer('--requirepass', 'a secret/:@');
    const { port } = server;
    const password = encodeURIComponent('a secret/:@');
    await expect(open(`redis://127.0.0.1:${port}`)).rejects.toThrow(': it asks for a password. ');
    await expect(open(`redis://:wrong@127.0.0.1:${port}`)).rejects.toThrow(
      ': it does not take the password. ',
    );
    await expect(open(`redis://:${password}@127.0.0.1:${port}/99`)).rejects.toThrow(
      ': it has no database of that number. ',
    );
    const { Redis } = await import('ioredis');
    const redis = new Redis({ port, password: 'a secret/:@', db: 2 });
    await redis.set('theirs', '1');
    const url = `redis://:${password}@127.0.0.1:${port}/2`;
    const mine = await open(url);
    expect(mine.place).toBe(`redis://127.0.0.1:${port}/2?prefix=cloche:orders`);
    await mine.store.insertIfAbsent(someResource({ claims: ['a'] }));
    await mine.store.nextNumber('/orders');
    await mine.store.saveSnapshot('one', await mine.store.dump());
    const other = await open(`${url}?prefix=other`);
    expect(other.found).toBe(0);
    await other.store.insertIfAbsent(someResource());
    const keys = await redis.keys('*');
    expect(keys.filter((key) => !/^(?:theirs$|cloche:orders:|other:)/u.test(key))).toEqual([]);
    await mine.store.reset();
    expect((await redis.keys('cloche:*')).toSorted()).toEqual([
      'cloche:orders:snapshot-counts',
      'cloche:orders:snapshots',
      'cloche:orders:version',
    ]);
    expect(await redis.get('theirs')).toBe('1');
    await other.close();
    const again = await open(`${url}?prefix=other`);
    expect(again.found).toBe(1);
    await redis.set('other:version', '2');
    await expect(open(`${url}?prefix=other`)).rejects.toThrow(
      ': what is under the prefix other is of another version of Cloche (2). ',
    );
    await redis.set('foreign:collections', '1');
    await expect(open(`${url}?prefix=foreign`)).rejects.toThrow(
      'Failed to read the store "redis://127.0.0.1:' +
        `${port}/2?prefix=foreign": under its prefix is something that Cloche did not put there. `,
    );
    await Promise.all([again.close(), mine.close()]);
    // A connection that was left open would keep the process from its end.
    await expect.poll(() => redis.client('LIST')).toMatch(/^[^\n]+\n$/u);
    await redis.quit();
    await server.kill();
  });
});
