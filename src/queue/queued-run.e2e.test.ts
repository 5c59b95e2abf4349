import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  hasRedisServer,
  type RedisServer,
  startRedisServer,
  withoutRedisServer,
} from '../../fixtures/redis-server.ts';
import { openQueue } from './open-queue.ts';
import { QueuedRun } from './queued-run.ts';
import { takeUnits } from './take-units.ts';

let redis: RedisServer;
let distant: Server;

/** Passes on to a port what it gets, and delays each answer, in milliseconds. */
async function startDistant(port: number, delayMs: number): Promise<Server> {
  const server = createServer((socket) => {
    const there = connect(port, '127.0.0.1');
    socket.pipe(there);
    there.on('data', (chunk) => setTimeout(() => socket.write(chunk), delayMs));
    [socket, there].forEach((end) =>
      end.on('error', () => [socket, there].forEach((each) => each.destroy())),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

beforeEach(async ({ skip }) => {
  skip(!hasRedisServer, withoutRedisServer);
  redis = await startRedisServer();
  distant = await startDistant(redis.port, 40);
});

afterEach(async () => {
  distant?.close();
  await redis?.kill();
});

const silent = (): void => undefined;

test('another run of the same words is not taken for one whose coordinator died', async () => {
  const plan = { services: [{ name: 'items', parts: 1 }], argv: ['test'], seed: 7 };
  const died = await QueuedRun.open(await openQueue(redis.url, silent), { ...plan, folder: 'one folder' });
  const other = await QueuedRun.open(await openQueue(redis.url, silent), { ...plan, folder: 'another' });
  expect(other.isResumed).toBe(false);
  await Promise.all([died.close(), other.close()]);
});

test('a unit that fails while the coordinator of a distant Redis looks at it is reported with its reason', async () => {
  const worker = takeUnits(await openQueue(redis.url, silent), {
    concurrency: 40,
    onRefused: silent,
    onDone: silent,
    async runUnit({ service }) {
      // Services fail at all times between two looks.
      await wait(400 + Number(service) * 20);
      return { code: 2, errors: `the document of ${service} is missing` };
    },
  });
  // `as`: a server that listens on a port has such an address.
  const { port } = distant.address() as AddressInfo;
  const connection = await openQueue(`redis://127.0.0.1:${port}`, silent);
  const services = Array.from({ length: 30 }, (_, at) => ({ name: String(at), parts: 1 + (at % 2) }));
  const run = await QueuedRun.open(connection, { services, argv: ['test'], folder: '', seed: 7 });
  const { signal } = new AbortController();
  const settled = await Promise.all(services.map((_, at) => run.settle(at, signal)));
  expect(settled).toEqual(
    services.map(({ name }) => ({ code: 2, errors: `the document of ${name} is missing` })),
  );
  await run.close();
  await worker.close();
});
