import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  hasRedisServer,
  type RedisServer,
  startRedisServer,
  withoutRedisServer,
} from '../../fixtures/redis-server.ts';
import { openQueue, type Unit } from './open-queue.ts';
import { QueuedRun } from './queued-run.ts';
import { takeUnits } from './take-units.ts';

let redis: RedisServer;

beforeEach(async ({ skip }) => {
  skip(!hasRedisServer, withoutRedisServer);
  redis = await startRedisServer();
});

afterEach(() => redis?.kill());

const silent = (): void => undefined;
const nameOf = ({ service = '', shard }: Unit): string => `${service} ${shard.index}/${shard.total}`;

test('two hundred workers, of which ten die, run the units of a thousand services, each cause shrunk once', async () => {
  const shrunk: string[] = [];
  const begun: string[] = [];
  const isDead = new Set<number>();
  const workers = [];
  for (let index = 0; index < 200; index += 1) {
    const connection = await openQueue(redis.url, silent);
    const worker = takeUnits(connection, {
      concurrency: 1,
      onRefused: silent,
      onDone: silent,
      async runUnit(unit, { report, isFirstTo }) {
        begun.push(nameOf(unit));
        await wait(Math.random() * 40);
        // The last of ten workers dies with its first unit, and never answers.
        if (index % 20 === 19) {
          isDead.add(index);
          connection.redis.disconnect();
          return new Promise(silent);
        }
        if (await isFirstTo('a cause')) shrunk.push(unit.service ?? '');
        writeFileSync(report, JSON.stringify({ of: nameOf(unit), seed: unit.seed }));
        return { code: 0, errors: '' };
      },
    });
    workers.push({ index, worker });
  }
  const services = Array.from({ length: 1_000 }, (_, at) => ({ name: `service ${at}`, parts: 1 + (at % 3) }));
  const run = await QueuedRun.open(await openQueue(redis.url, silent), {
    services,
    argv: ['test'],
    folder: '',
    seed: 7,
  });
  const seen: string[] = [];
  for (const at of services.keys()) {
    const reports = await run.settle(at, new AbortController().signal);
    if (reports === undefined || 'errors' in reports) throw new Error(`service ${at} failed`);
    seen.push(...reports.map((text) => JSON.parse(text).of));
  }
  const expected = services.flatMap(({ name, parts }) => {
    const total = parts === 1 ? 1 : parts + 1;
    return Array.from({ length: total }, (_, at) => `${name} ${at + 1}/${total}`);
  });
  expect(seen).toEqual(expected);
  expect(await run.countUnits()).toEqual({ done: expected.length, all: expected.length });
  expect(isDead.size).toBeGreaterThan(0);
  // Only the units of workers that died ran twice.
  expect(begun.length).toBe(expected.length + isDead.size);
  expect(shrunk.toSorted()).toEqual(services.map(({ name }) => name).toSorted());
  // What runs alone began after the other parts of its service.
  for (const { name, parts } of services.filter((service) => service.parts > 1)) {
    const last = begun.indexOf(`${name} ${parts + 1}/${parts + 1}`);
    expect(begun.slice(0, last).filter((unit) => unit.startsWith(`${name} `)).length).toBeGreaterThanOrEqual(
      parts,
    );
  }
  await run.close();
  await Promise.all(workers.filter(({ index }) => !isDead.has(index)).map(({ worker }) => worker.close()));
}, 300_000);
