import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import Database from 'libsql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMockClient } from '../../../fixtures/mock-client.ts';
import {
  hasRedisServer,
  type RedisServer,
  startRedisServer,
  withoutRedisServer,
} from '../../../fixtures/redis-server.ts';
import type { ClientHeaders, ClientResponse } from '../../../fixtures/service-client.ts';
import type { Policy } from '../../policy/policy.ts';
import { createMock } from '../create-mock.ts';
import type { RequestLogEntry } from '../log/log-line.ts';
import type { Mock } from '../mock.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-outage-'));
const enforced: string[] = [];
const log: RequestLogEntry[] = [];
let files = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  enforced.length = 0;
  log.length = 0;
});

function openMock(store: string | Store, policy: Partial<Policy> = {}): Promise<Mock> {
  return createMock(undefined, {
    tokens: ['t'],
    store,
    policy,
    warn: (sentence) => enforced.push(sentence),
    log: (entry) => log.push(entry),
  });
}

function create(mock: Mock, id: number, headers?: ClientHeaders): Promise<ClientResponse> {
  return createMockClient(mock, { authorization: 'Bearer t' }).post(
    '/plants',
    { id, name: 'Basil' },
    headers,
  );
}

function freshPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(path + suffix, { force: true });
  }
}

function expectAway(answer: ClientResponse, reason: string): void {
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.undeclared).toBe('store-unavailable');
  expect(answer.body).toEqual({ error: 503, message: expect.stringContaining(reason) });
}

describe('a SQLite file', () => {
  test('that is moved away is missed at once, and goes on when it is back', async () => {
    const path = freshPath();
    const mock = await openMock(`file:${path}`);
    expect((await create(mock, 1)).status).toBe(200);
    renameSync(path, `${path}.away`);
    expectAway(await create(mock, 2), 'the file was deleted or moved, since 20');
    expectAway(await create(mock, 2), 'the file was deleted or moved, since 20');
    expect(log.at(-1)).toMatchObject({ condition: 'store-unavailable', undeclared: 'store-unavailable' });
    renameSync(`${path}.away`, path);
    expect((await create(mock, 1)).status).toBe(400);
    expect((await create(mock, 2)).status).toBe(200);
    expect(enforced).toEqual([
      `The store file:${path} is away: the file was deleted or moved. Requests that need it are answered with 503.`,
      expect.stringMatching(/ is back, after \d+ s\.$/u),
    ]);
    await mock.close();
  });

  test('that another mock made anew is taken up', async () => {
    const path = freshPath();
    const first = await openMock(`file:${path}`);
    await create(first, 1);
    removeDatabase(path);
    expectAway(await create(first, 1), 'the file was deleted or moved');
    const second = await openMock(`file:${path}`);
    expect((await create(second, 1)).status).toBe(200);
    expect((await create(first, 1)).status).toBe(400);
    await first.close();
    await second.close();
  });

  test('that is overwritten by something else is not written', async () => {
    const path = freshPath();
    const mock = await openMock(`file:${path}`);
    removeDatabase(path);
    writeFileSync(`${path}.new`, 'These are notes.'.repeat(100));
    renameSync(`${path}.new`, path);
    expectAway(await create(mock, 1), 'it is no SQLite database');
    expect(readFileSync(path, 'utf8')).toContain('These are notes.');
    await mock.close();
  });

  test('returns 503 and the cause when another program drops a table or changes a value', async () => {
    const path = freshPath();
    const mock = await openMock(`file:${path}`);
    await create(mock, 1);
    const other = new Database(path);
    other.exec("UPDATE resource SET key = 'none'");
    await expect(mock.state.export()).rejects.toThrow(
      `file:${path}": another program changed a value in it (`,
    );
    await mock.reset();
    expect((await create(mock, 1)).status).toBe(200);
    other.exec('DROP TABLE resource');
    other.close();
    expectAway(await create(mock, 2), ': its tables are not those that were there before (');
    await mock.close();
  });

  test('that others keep locked is waited for, while everything else is answered', async () => {
    const path = freshPath();
    const store = await openSqliteStore({
      path,
      place: `file:${path}`,
      tell: (sentence) => enforced.push(sentence),
      patience: 200,
    });
    const mock = await openMock(store);
    await mock.state.collections();
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const ended: string[] = [];
    const waiting = [1, 2, 3].map(async (id) => {
      expectAway(await create(mock, id), 'another program keeps it locked');
      ended.push('create');
    });
    await mock.state.collections();
    ended.push('read');
    await Promise.all(waiting);
    expect(ended).toEqual(['read', 'create', 'create', 'create']);
    // That it can be read does not say that it can be written again, nor has anyone wait for it anew.
    await mock.state.collections();
    await expect(async () => store.delete('/plants', 1)).rejects.toThrow('another program keeps it locked');
    expect(enforced).toEqual([
      expect.stringContaining(' is away: another program keeps it locked (SQLITE_BUSY). '),
    ]);
    other.exec('COMMIT');
    expect((await create(mock, 1)).status).toBe(200);
    expect(enforced).toEqual([expect.anything(), expect.stringContaining(' is back, ')]);
    other.close();
    await mock.close();
    expect(await store.get('/plants', 1)).toBeDefined();
    await store.close();
  });

  test('that is locked for a moment is written once it is not', async () => {
    const path = freshPath();
    const mock = await openMock(`file:${path}`);
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const waiting = create(mock, 1);
    const saving = mock.state.save('one');
    await expect.poll(() => mock.state.snapshots()).toEqual([]);
    other.exec('COMMIT');
    expect((await waiting).status).toBe(200);
    await saving;
    expect(await mock.state.snapshots()).toEqual([{ name: 'one', count: expect.any(Number) }]);
    expect(enforced).toEqual([]);
    other.close();
    await mock.close();
  });
});

describe.skipIf(!hasRedisServer)(`a Redis ${withoutRedisServer}`, () => {
  let shared: RedisServer;

  beforeAll(async () => {
    shared = await startRedisServer();
  });

  afterAll(() => shared.kill());

  test('that dies and comes back is missed at once, and used again', async () => {
    const server = await startRedisServer();
    const mock = await openMock(server.url);
    expect((await create(mock, 1)).status).toBe(200);
    await server.kill();
    const answers = await Promise.all([1, 2, 3, 4, 5].map((id) => create(mock, id)));
    for (const answer of answers) {
      expectAway(answer, '?prefix=cloche:plant-store: ');
    }
    const page = await create(mock, 1, { Origin: 'http://localhost:3000' });
    expect([page.status, page.headers.get('access-control-allow-origin')]).toEqual([
      503,
      'http://localhost:3000',
    ]);
    await server.restart();
    await expect.poll(async () => (await create(mock, 1)).status).not.toBe(503);
    expect((await create(mock, 1)).status).toBe(400);
    expect(enforced).toEqual([
      expect.stringMatching(/^The store redis:\S+ is away: /u),
      expect.stringMatching(/^The store redis:\S+ is back, after \d+ s\.$/u),
    ]);
    await mock.close();
    await server.kill();
  });

  test('that hangs keeps no request, and is used again when it goes on', async () => {
    const server = await startRedisServer();
    // With the usual patience: a server that is only slow on a busy machine must not count as one that hangs.
    const mock = await openMock(server.url);
    expect((await create(mock, 1)).status).toBe(200);
    server.signal('SIGSTOP');
    const answers = await Promise.all([1, 2, 3].map((id) => create(mock, id)));
    for (const answer of answers) {
      expectAway(answer, '?prefix=cloche:plant-store: it does not answer, since 20');
    }
    expectAway(await create(mock, 4), '?prefix=cloche:plant-store: ');
    server.signal('SIGCONT');
    await expect.poll(async () => (await create(mock, 1)).status).toBe(400);
    expect(enforced).toEqual([
      expect.stringMatching(
        /^The store redis:\S+ is away: it does not answer\. Requests that need it are answered with 503\.$/u,
      ),
      expect.stringMatching(/^The store redis:\S+ is back, after \d+ s\.$/u),
    ]);
    await mock.close();
    await server.kill();
  });

  test('that is loading its data answers 503 with this reason, and goes on with all of it', async () => {
    // It loads for half a minute, unless the test lets it go on at once.
    const words = ['--dir', folder, '--rdbcompression', 'no', '--key-load-delay', '150000'];
    const server = await startRedisServer(...words, '--loading-process-events-interval-bytes', '1024');
    const mock = await openMock(server.url);
    const redis = new Redis(server.port);
    await redis.mset(
      ...Array.from({ length: 200 }, (_, index) => [`other:${index}`, 'x'.repeat(2000)]).flat(),
    );
    expect((await create(mock, 1)).status).toBe(200);
    await redis.save();
    redis.disconnect();
    await server.kill();
    await server.restart();
    const reason = async (): Promise<unknown> => (await create(mock, 1)).body;
    await expect.poll(reason).toMatchObject({ message: expect.stringContaining('still reading its data') });
    const loading = new Redis(server.port, { enableReadyCheck: false });
    await loading.config('SET', 'key-load-delay', '0');
    loading.disconnect();
    await expect.poll(async () => (await create(mock, 1)).status).toBe(400);
    await mock.close();
    await server.kill();
  });

  test('that becomes a replica can be read, and is left for the server that takes over its address', async () => {
    const former = await startRedisServer();
    let { port } = former;
    const address = createServer((client) => {
      const server = connect(port, '127.0.0.1');
      client.pipe(server).pipe(client);
      client.once('error', () => server.destroy());
      server.once('error', () => client.destroy());
    });
    await once(address.listen(0, '127.0.0.1'), 'listening');
    // `as`: a server that listens on a port has such an address.
    const mock = await openMock(`redis://127.0.0.1:${(address.address() as AddressInfo).port}`);
    expect((await create(mock, 1)).status).toBe(200);
    const redis = new Redis(former.port);
    await redis.replicaof('127.0.0.1', 1);
    port = shared.port;
    expectAway(await create(mock, 2), ': it is a replica, which takes no writes');
    await expect.poll(async () => (await create(mock, 2)).status).toBe(200);
    expect(enforced).toEqual([
      expect.stringContaining(': it is a replica, which takes no writes. '),
      expect.stringContaining(' is back, '),
    ]);
    await Promise.all([redis.quit(), mock.close(), once(address.close(), 'close')]);
    await former.kill();
  });

  test.each([
    'texts:"/plants"',
    'order:"/plants"',
    'claims:"/plants"',
    'holders:"/plants"',
    'sequence',
    'collections',
  ])('returns 503 and the cause when another program deletes the key %s, until it is reset', async (key) => {
    const mock = await openMock(`${shared.url}?prefix=${key}`, { 'unique-properties': ['name'] });
    const redis = new Redis(shared.port);
    await create(mock, 1);
    await redis.del(`${key}:${key}`);
    expectAway(await create(mock, 2), `: another program deleted or changed the key ${key}:${key}: reset`);
    await expect(mock.state.export()).rejects.toThrow(`the key ${key}:${key}: `);
    await mock.reset();
    expect(await mock.state.export()).toEqual({});
    expect((await create(mock, 1)).status).toBe(200);
    await Promise.all([redis.quit(), mock.close()]);
  });

  test('returns 503 and the cause for keys of another type and for values that the mock did not write', async () => {
    const mock = await openMock(`${shared.url}?prefix=types`, { 'unique-properties': ['name'] });
    const redis = new Redis(shared.port);
    await create(mock, 1);
    await redis.set('types:sequence', 'first');
    expectAway(await create(mock, 2), ': another program deleted or changed the key types:sequence: ');
    await redis.set('types:sequence', '9');
    await redis.hset('types:claims:"/plants"', '1', 'none');
    await expect(mock.state.list('/plants')).rejects.toThrow('another program deleted or changed a value (');
    await redis.set('types:texts:"/plants"', 'none');
    expectAway(await create(mock, 2), ': under its prefix is something that Cloche did not put there');
    await mock.reset();
    expect((await create(mock, 1)).status).toBe(200);
    await redis.flushall();
    expect((await create(mock, 1)).status).toBe(200);
    expect((await mock.state.list('/plants')).total).toBe(1);
    await Promise.all([redis.quit(), mock.close()]);
  });

  test('that takes no writes for a while is away for as long, and one sentence says why', async () => {
    const server = await startRedisServer();
    const mock = await openMock(server.url);
    const redis = new Redis(server.port);
    await redis.config('SET', 'maxmemory', '1');
    expectAway(await create(mock, 1), ': its memory is full, since 20');
    expectAway(await create(mock, 2), ': its memory is full, since 20');
    // That it can be read does not say that it can be written again.
    expect(await mock.state.collections()).toMatchObject([{ name: '/plants', count: 0 }]);
    await redis.config('SET', 'maxmemory', '0');
    expect((await create(mock, 1)).status).toBe(200);
    expect(enforced).toEqual([
      expect.stringMatching(/ is away: its memory is full\. /u),
      expect.stringMatching(/ is back, /u),
    ]);
    await redis.script('FLUSH');
    expect((await create(mock, 2)).status).toBe(200);
    await Promise.all([redis.quit(), mock.close()]);
    await server.kill();
  });
});
