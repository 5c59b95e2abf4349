import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { runsAllCases } from '../../fixtures/draw-cases.ts';
import { type Audit, auditMixedLoad, runMixedLoad } from '../../fixtures/mixed-load.js';
import { hasRedisServer, startRedisServer, withoutRedisServer } from '../../fixtures/redis-server.ts';
import { openSqliteStore } from '../mock/store/sqlite-store.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const minute = 60_000;
const patiently = { timeout: 30_000 };
const folder = mkdtempSync(join(tmpdir(), 'cloche-stores-'));
const running: ChildProcess[] = [];
/** A connection for each of a thousand requests would take longer than the requests. */
const dispatcher = new Agent({ connections: 50 });

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  running.forEach((child) => child.kill('SIGKILL'));
  await dispatcher.destroy();
  await rm(folder, { recursive: true, force: true });
});

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has told besides its first line. */
  readonly enforced: () => string;
}

async function startMock(store: string, port = '0', ...document: readonly string[]): Promise<Running> {
  const options = ['--port', port, '--token', 't', '--quiet', '--no-watch', '--store', store];
  const words = ['mock', ...document, ...options];
  const child = spawn(process.execPath, [main, ...words], { cwd: folder });
  running.push(child);
  let enforced = '';
  child.stderr.on('data', (bytes) => {
    enforced += String(bytes);
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/u.exec(String(bytes)) ?? [];
      if (found !== undefined) {
        resolve(found);
      }
    });
    child.once('close', (code) => reject(new Error(`the mock ended with ${code}: ${enforced}`)));
  });
  return { url, child, enforced: () => enforced };
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<unknown> {
  child.kill(signal);
  const [code] = await once(child, 'close');
  return code;
}

/** The status that a create comes to; undefined where no answer came. */
async function create(url: string, id: number): Promise<number | undefined> {
  try {
    const { statusCode, body } = await request(`${url}/plants`, {
      method: 'POST',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
      body: `{"id":${id},"name":"Basil"}`,
      dispatcher,
      // No store keeps a request for so long.
      headersTimeout: 10_000,
    });
    await body.dump();
    return statusCode;
  } catch {
    return undefined;
  }
}

function countStatuses(statuses: readonly unknown[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const status of statuses) {
    counts[String(status)] = (counts[String(status)] ?? 0) + 1;
  }
  return counts;
}

/** Creates one plant a thousand times at once over several mocks. */
async function race(mocks: readonly Running[], id: number): Promise<Readonly<Record<string, number>>> {
  const urls = mocks.map(({ url }) => url);
  const statuses = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => create(urls[index % urls.length] ?? '', id)),
  );
  return countStatuses(statuses);
}

test('refuses what is no store', { timeout: minute }, async () => {
  await expect(startMock('shared.db')).rejects.toThrow(
    'the mock ended with 2: Failed to use as a store "shared.db": a file is written file:shared.db. ',
  );
});

test(
  'two mocks on one SQLite file create a plant once, and lose none to kill -9',
  { timeout: minute },
  async () => {
    const mocks = await Promise.all([1, 2].map(() => startMock('file:shared.db')));
    expect(await race(mocks, 1)).toEqual({ 200: 1, 400: 999 });

    const acknowledged: number[] = [1];
    let next = 2;
    /** Creates plants, one after the other, until its mock is gone. */
    async function load(url: string): Promise<void> {
      for (;;) {
        const id = next;
        next += 1;
        const status = await create(url, id);
        if (status === undefined) return;
        if (status === 200) {
          acknowledged.push(id);
        }
      }
    }
    const loads = mocks.flatMap(({ url }) => [1, 2, 3, 4].map(() => load(url)));
    for (const [index, { child, enforced }] of mocks.entries()) {
      await expect.poll(() => acknowledged.length, patiently).toBeGreaterThan(100 * (index + 1));
      await end(child, 'SIGKILL');
      expect(enforced()).toContain('The state is kept in file:shared.db, which held nothing yet.\n');
    }
    await Promise.all(loads);

    const path = join(folder, 'shared.db');
    const store = await openSqliteStore({ path, place: 'file:shared.db', tell: () => undefined });
    const kept = new Set((await store.list('/plants', { offset: 0, limit: 1e9 })).map(({ key }) => key));
    await store.close();
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);

    const again = await startMock('file:shared.db');
    expect(await create(again.url, acknowledged.at(-1) ?? 1)).toBe(400);
    expect(await end(again.child, 'SIGTERM')).toBe(0);
    expect(again.enforced()).toContain(`file:shared.db, which held ${kept.size} resources.\n`);
  },
);

const articles = fileURLToPath(new URL('../../fixtures/documents/etags.yaml', import.meta.url));

/** How often a mock is killed while it changes what it keeps. */
const kills = 5;

/** Changes articles through two mocks on one store, of which one is killed again and again; gives what is found wrong then. */
async function changeThroughTwo(store: string): Promise<Audit> {
  const [stays, goes] = await Promise.all([1, 2].map(() => startMock(store, '0', articles)));
  if (stays === undefined || goes === undefined) throw new Error('Two mocks are wanted.');
  const urls = [goes.url, stays.url];
  const whole = await runMixedLoad({ urls, operations: 1000, workers: 6 });
  expect(whole.unexpected).toEqual([]);
  expect(whole.refused).toBeGreaterThan(0);
  expect(await auditMixedLoad(stays.url, whole.items)).toEqual({ lost: [], doubled: [] });

  const items = [...whole.items];
  let victim = goes;
  for (let killed = 0; killed < kills; killed += 1) {
    let kill: Promise<unknown> | undefined;
    const tell = (done: number): void => {
      if (done === 300) kill = end(victim.child, 'SIGKILL');
    };
    const cut = await runMixedLoad({ urls: [victim.url, stays.url], operations: 600, workers: 6, tell });
    await kill;
    expect(kill).toBeDefined();
    expect(cut.unexpected).toEqual([]);
    items.push(...cut.items);
    if (killed + 1 < kills) victim = await startMock(store, '0', articles);
  }
  return auditMixedLoad(stays.url, items);
}

test.runIf(runsAllCases)(
  'two mocks on one SQLite file lose no change, not to each other and not to five times kill -9',
  { timeout: minute },
  async () => {
    expect(await changeThroughTwo('file:changes.db')).toEqual({ lost: [], doubled: [] });
  },
);

describe.skipIf(!hasRedisServer)(`on a Redis ${withoutRedisServer}`, () => {
  test(
    'two mocks lose no change, not to each other and not to five times kill -9',
    { timeout: minute },
    async () => {
      const server = await startRedisServer();
      try {
        expect(await changeThroughTwo(`${server.url}?prefix=changes`)).toEqual({ lost: [], doubled: [] });
      } finally {
        await server.kill();
      }
    },
  );

  test('two mocks create a plant once, and lose none to its kill -9', { timeout: minute }, async () => {
    const server = await startRedisServer('--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always');
    try {
      const mocks = await Promise.all([1, 2].map(() => startMock(server.url)));
      const port = new URL(mocks[0]?.url ?? '').port;
      await expect(startMock(server.url, port)).rejects.toThrow('the mock ended with 2: Failed to listen on');
      expect(await race(mocks, 1)).toEqual({ 200: 1, 400: 999 });

      const acknowledged: number[] = [];
      const enough = new AbortController();
      let next = 2;
      async function load(url: string, statuses: (number | undefined)[]): Promise<void> {
        while (!enough.signal.aborted) {
          const id = (next += 1);
          const status = await create(url, id);
          statuses.push(status);
          if (status === 200) acknowledged.push(id);
        }
      }
      // Each mock notices by itself that the Redis is gone, and finds it again later than the other one.
      const answers = mocks.map((): (number | undefined)[] => []);
      const loads = mocks.flatMap(({ url }, index) => [1, 2].map(() => load(url, answers[index] ?? [])));
      async function expectFromEach(wanted: number): Promise<void> {
        const from = answers.map(({ length }) => length);
        const fewest = (): number =>
          Math.min(
            ...answers.map(
              (statuses, index) => statuses.slice(from[index]).filter((status) => status === wanted).length,
            ),
          );
        await expect.poll(fewest, patiently).toBeGreaterThanOrEqual(25);
      }
      await expectFromEach(200);
      await server.kill();
      await expectFromEach(503);
      await server.restart();
      await expectFromEach(200);
      enough.abort();
      await Promise.all(loads);
      expect(Object.keys(countStatuses(answers.flat()))).toEqual(['200', '503']);
      const again = await Promise.all(acknowledged.map((id) => create(mocks[0]?.url ?? '', id)));
      expect(countStatuses(again)).toEqual({ 400: acknowledged.length });
      for (const mock of mocks) {
        expect(await end(mock.child, 'SIGTERM')).toBe(0);
        expect(mock.enforced().match(/ is away: /gu)).toHaveLength(1);
        expect(mock.enforced().match(/ is back, /gu)).toHaveLength(1);
      }
    } finally {
      await server.kill();
    }
  });
});
