import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { startCommand } from '../../../fixtures/proxy/start-command.ts';
import {
  hasRedisServer,
  type RedisServer,
  startRedisServer,
  withoutRedisServer,
} from '../../../fixtures/redis-server.ts';
import { clocheMain, type Ended, runCloche } from '../../../fixtures/run-cloche.ts';
import { startService } from '../../../fixtures/start-service.ts';

const minute = 60_000;
const token = 'secret-token-of-the-test';
const env = { TOKEN_OF_PLANTS: token };
const folder = mkdtempSync(join(tmpdir(), 'cloche-run-queue-'));
const children = new Set<ChildProcess>();
let server: Server | undefined;
let redis: RedisServer;

const cloche = (...words: readonly string[]): Promise<Ended> => runCloche(words, { folder, env });
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

/** Starts `cloche` beside the test. */
function start(...words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [clocheMain, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
  });
  children.add(child);
  return child;
}

/** What the coordinator prints when its parts are in the queue. */
const shares = /Shares 4 parts out through (\S+)\.\n/u;

/** Starts a worker, and waits until it is connected: it needs a Redis to start. */
async function startWorker(): Promise<ChildProcess> {
  const { process: worker } = await startCommand(['worker', redis.url], {
    folder,
    env,
    ready: /Takes work from (\S+),/u,
  });
  children.add(worker);
  return worker;
}

/** Waits until the queue has a part in this state. Redis keeps no empty collection. */
async function waitForPart(state: 'active' | 'completed'): Promise<void> {
  const client = new Redis(redis.url);
  try {
    await expect.poll(() => client.keys(`*:${state}`), { timeout: minute }).toHaveLength(1);
  } finally {
    client.disconnect();
  }
}

/** Waits for the first output on standard error that contains some words. */
async function waitForWords(child: ChildProcess, words: string): Promise<void> {
  let seen = '';
  for await (const chunk of child.stderr ?? []) {
    seen += String(chunk);
    if (seen.includes(words)) return;
  }
  throw new Error(`"${words}" is not in: ${seen}`);
}

/** Returns the ids of the findings of both services. */
const findingsOf = (name: string): readonly string[] =>
  ['plants', 'items'].flatMap((service) =>
    read(`${name}-${service}.json`)
      .findings.map(({ id }: { readonly id: string }) => id)
      .toSorted(),
  );

beforeAll(async () => {
  await buildWhenStale();
  const { server: started, url } = await startService('500-on-astral', token);
  server = started;
  const root = new URL('../../../', import.meta.url);
  const services = {
    plants: {
      document: new URL('spec/plant-store.yaml', root).pathname,
      token: '${TOKEN_OF_PLANTS}',
      test: { url, workers: 2 },
    },
    items: { document: new URL('bench/servers/items.yaml', root).pathname },
  };
  writeFileSync(join(folder, 'cloche.config.json'), JSON.stringify({ test: { seed: 7 }, services }));
  await cloche('test', '--workers', '1', '--report', 'json=whole.json');
}, 3 * minute);

beforeEach(async ({ skip }) => {
  skip(!hasRedisServer, withoutRedisServer);
  redis = await startRedisServer('--appendonly', 'yes', '--appendfsync', 'always', '--dir', folder);
});

afterEach(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  children.clear();
  await redis?.kill();
  rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true });
});

afterAll(() => {
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true });
});

const testThroughQueue = (name: string): Promise<Ended> =>
  cloche('test', '--queue', redis.url, '--report', `json=${name}.json`);

test(
  'workers find what one run finds, and a worker that is killed loses nothing',
  async () => {
    const killed = await startWorker();
    const ended = testThroughQueue('killed');
    await waitForPart('active');
    killed.kill('SIGKILL');
    await startWorker();
    const { code, stdout, stderr } = await ended;
    expect(stderr).toContain(`Shares 4 parts out through ${redis.url}.`);
    expect(code).toBe(1);
    expect(stdout).toContain('with 2 workers, seed 7');
    expect(findingsOf('killed')).toEqual(findingsOf('whole'));
    const [whole, merged] = [read('whole-plants.json'), read('killed-plants.json')];
    expect(merged.properties).toHaveLength(whole.properties.length);
  },
  3 * minute,
);

test(
  'the same command goes on with a run whose coordinator was killed',
  async () => {
    const killed = start('test', '--queue', redis.url, '--report', 'json=again.json');
    await waitForWords(killed, 'Shares 4 parts');
    await startWorker();
    await waitForPart('completed');
    killed.kill('SIGKILL');
    const { code, stderr } = await testThroughQueue('again');
    expect(stderr).toMatch(/Goes on with the run that was begun with seed 7: \d of 4 parts done\./u);
    expect(code).toBe(1);
    expect(findingsOf('again')).toEqual(findingsOf('whole'));
  },
  3 * minute,
);

test.each(['with what it kept', 'with nothing'])(
  'the run goes on when Redis is back %s',
  async (kept) => {
    await startWorker();
    const words = ['test', '--queue', redis.url, '--report', 'json=redis.json'];
    const run = await startCommand(words, { folder, env, ready: shares });
    children.add(run.process);
    await waitForPart('active');
    await redis.kill();
    if (kept === 'with nothing') rmSync(join(folder, 'appendonlydir'), { recursive: true });
    await expect
      .poll(run.output, { timeout: minute })
      .toContain(`The queue ${redis.url} is away. Goes on when it is back.`);
    await redis.restart();
    const { code, output } = await run.ended();
    expect(output).toContain(`The queue ${redis.url} is back.`);
    expect(code).toBe(1);
    expect(findingsOf('redis')).toEqual(findingsOf('whole'));
    const { properties } = read('redis-plants.json');
    expect(properties.filter(({ verdict }: { readonly verdict: string }) => verdict === 'cut-off')).toEqual(
      [],
    );
    expect(properties).toHaveLength(read('whole-plants.json').properties.length);
  },
  3 * minute,
);

test(
  'says that no worker is there, and ends at an interrupt without a trace in the queue',
  async () => {
    const child = start('test', '--queue', redis.url);
    const { stderr } = child;
    await waitForWords(child, `Start some: npx cloche worker ${redis.url}`);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
    expect(stderr?.readable).toBe(false);
    const worker = start('worker', redis.url, '--idle', '2');
    const exited = once(worker, 'exit');
    const printed = worker.stderr === null ? '' : await text(worker.stderr);
    expect(printed).toBe(`Takes work from ${redis.url}, 1 part at a time. Ctrl+C ends it.\n`);
    expect(await exited).toEqual([0, null]);
  },
  minute,
);

test(
  'reports what the workers found until an interrupt',
  async () => {
    await startWorker();
    // So many cases take minutes.
    const words = ['test', '--queue', redis.url, '--runs', '5000', '--report', 'json=until.json'];
    const run = await startCommand(words, { folder, env, ready: shares });
    children.add(run.process);
    await waitForPart('active');
    run.process.kill('SIGINT');
    const { code, output } = await run.ended();
    expect([code, output]).toEqual([130, expect.stringMatching(/^FAIL .*: interrupted, /mu)]);
    expect(read('until-plants.json').end).toEqual({ kind: 'interrupted' });
    expect(read('until-plants.json').contract.title).toBe('Plant Store');
  },
  minute,
);

test(
  'an interrupt ends the coordinator and the worker also while Redis is away',
  async () => {
    const both = await Promise.all([
      startCommand(['test', '--queue', redis.url], { folder, env, ready: shares }),
      startCommand(['worker', redis.url], { folder, env, ready: /Takes work from (\S+),/u }),
    ]);
    both.forEach((command) => children.add(command.process));
    await redis.kill();
    for (const { output } of both) await expect.poll(output, { timeout: minute }).toContain('is away');
    both.forEach((command) => command.process.kill('SIGINT'));
    const ended = await Promise.all(both.map((command) => command.ended()));
    expect(ended.map(({ code }) => code)).toEqual([130, 0]);
  },
  minute,
);

test(
  'a Redis that takes no units is named with its reason, by the coordinator and by workers',
  async () => {
    const admin = new Redis(redis.url);
    await admin.call('acl', 'setuser', 'poor', 'on', '>p', '~*', '&*', '+@all', '-@scripting');
    admin.disconnect();
    const poor = redis.url.replace('redis://', 'redis://poor:p@');
    const { code, stderr } = await cloche('test', '--queue', poor);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        `Failed to use the queue "${redis.url}": the user may not do there what Cloche needs. Correct that`,
      ),
    ]);
    await waitForWords(start('worker', poor), 'cannot be used: the user may not');
    const none = await cloche('worker', `${redis.url}/99`);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('it has no database of that number'),
    ]);
  },
  minute,
);

test(
  'a part that cannot run fails its service with the reason, and not the others',
  async () => {
    await startWorker();
    const words = ['--queue', redis.url, '--document', 'nowhere.yaml', '--service', 'items'];
    const missing = await cloche('test', ...words);
    expect(missing.code).toBe(2);
    expect(missing.stderr.match(/nowhere\.yaml/gu)).toHaveLength(1);
    const others = { ...env, CLOCHE_RUNS: '3' };
    const run = await startCommand(['test', '--queue', redis.url], { folder, env: others, ready: shares });
    children.add(run.process);
    const refused = await run.ended();
    expect(refused.code).toBe(2);
    expect(refused.output).toMatch(
      /A worker on .*, could not test a part:\nFailed to test a part of "plants": runs is another one than/u,
    );
    const secret = await cloche('test', '--queue', redis.url, '--token', token);
    expect(secret.code).toBe(2);
    expect(secret.stderr).toContain(
      'Failed to read the option "--token": the queue would keep it. ' +
        'Give it to each cloche worker in its environment, or in the configuration as ${NAME}.',
    );
    for (const words of ['-H=Authorization: Bearer x', '--token-command=echo x']) {
      const { code, stderr } = await cloche('test', '--queue', redis.url, words);
      expect([code, stderr]).toEqual([2, expect.stringContaining('the queue would keep it')]);
    }
    const shard = await cloche('test', '--queue', redis.url, '--max-creates', '5');
    expect(shard.stderr).toContain('it cannot be shared out through a queue');
    await redis.kill();
    const away = await cloche('test', '--queue', redis.url);
    expect(away.code).toBe(2);
    expect(away.stderr).toContain(`Failed to open the queue "${redis.url}": nothing listens there.`);
  },
  minute,
);
