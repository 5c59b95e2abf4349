import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { describeFindings } from '../../fixtures/describe-findings.ts';
import {
  hasRedisServer,
  type RedisServer,
  startRedisServer,
  withoutRedisServer,
} from '../../fixtures/redis-server.ts';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import type { Policy } from '../policy/policy.ts';
import { concurrency } from '../../suites/concurrency.ts';
import { policyAnswers } from '../../suites/policy-answers.ts';
import { repeatedKeys } from '../../suites/repeated-keys.ts';
import { samples } from '../../suites/samples.ts';
import { sequences } from '../../suites/sequences.ts';
import { collidingIds } from '../../suites/colliding-ids.ts';
import { validBodies } from '../../suites/valid-bodies.ts';
import { createMock } from './create-mock.ts';
import type { Mock } from './mock.ts';
import { ask, documentOf, stories, tell } from '../../fixtures/resource-model.ts';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { shopPaths } from '../../fixtures/shops.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const serverMadeId = fileURLToPath(new URL('../../fixtures/documents/server-made-id.yaml', import.meta.url));
/** What the other suites send is refused before a store is asked. */
const storingSuites = [
  validBodies,
  samples,
  collidingIds,
  repeatedKeys,
  concurrency,
  sequences,
  policyAnswers,
];
const usual = [undefined, {}] as const;
const made = [serverMadeId, {}] as const;
const asking = [undefined, { 'duplicate-key': 'accept', 'unique-properties': ['name'] }] as const;

/** Runs the suites on mocks of documents under policies, each with a store of its own; gives what they found. */
async function findAll(
  mocks: readonly (readonly [document: string | undefined, policy: Partial<Policy>])[],
  storeOf: (index: number) => string,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, [document, policy]] of mocks.entries()) {
    const mock = await createMock(document, { tokens: [mockToken], policy, store: storeOf(index) });
    const result = await runOnMock({ mock, suites: storingSuites, runs: 2 });
    found.push(...describeFindings(result, ['violation', 'warning']));
    await mock.close();
  }
  return found;
}

async function createTogether(
  mock: Mock,
  path: string,
  bodies: readonly unknown[],
): Promise<readonly string[]> {
  return Promise.all(
    bodies.map(async (body) => {
      const response = await mock.fetch(path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${mockToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return `${response.status} ${await response.text()}`;
    }),
  );
}

describe('a mock on a SQLite file', () => {
  test('answers as one in memory does', { timeout: 60_000 }, async () => {
    expect(await findAll([usual], (index) => `file:${folder}/suites-${index}.db`)).toEqual([]);
  });
});

describe.skipIf(!hasRedisServer)(`a mock on a Redis ${withoutRedisServer}`, () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedisServer();
  });

  afterAll(() => server.kill());

  test('answers as one in memory does', { timeout: 60_000 }, async () => {
    expect(await findAll([made, asking], (index) => `${server.url}?prefix=${index}`)).toEqual([]);
  });

  test('keeps what comes at once under one key apart, where the policy takes all of it', async () => {
    const policy = { 'duplicate-key': 'accept' } as const;
    const mock = await createMock(undefined, {
      tokens: [mockToken],
      policy,
      store: `${server.url}?prefix=accept`,
    });
    const bodies = Array.from({ length: 200 }, (_, index) => ({ id: 1, name: `Basil ${index}` }));
    const answered = await createTogether(mock, '/plants', bodies);
    expect(answered).toEqual(bodies.map(({ name }) => `200 {"name":"${name}"}`));
    const again = await createMock(undefined, { store: `${server.url}?prefix=accept` });
    expect(again.store.found).toBe(200);
    await Promise.all([mock.close(), again.close()]);
  });

  test('makes a key of its own for each of many mocks’ creates that come at once', async () => {
    const store = `${server.url}?prefix=made`;
    const mocks = await Promise.all([1, 2].map(() => createMock(serverMadeId, { store })));
    const bodies = Array.from({ length: 100 }, () => ({ subject: 'Leak', text: 'It drips.' }));
    const answered = await Promise.all(mocks.map((mock) => createTogether(mock, '/tickets', bodies)));
    expect(answered.flat().filter((text) => !text.startsWith('201 '))).toEqual([]);
    expect(new Set(answered.flat()).size).toBe(200);
    await Promise.all(mocks.map((mock) => mock.close()));
  });
});

/** Two mocks share each store; the requests go to the one and the other in turn, over their ports. */
async function compare(nameStore: (run: number) => string): Promise<number> {
  let run = 0;
  let compared = 0;
  const property = fc.asyncProperty(stories, async (story) => {
    run += 1;
    const document = documentOf(story);
    const store = nameStore(run);
    const mocks = [await createMock(document, { store }), await createMock(document, { store })];
    const urls = await Promise.all(mocks.map(async (mock) => (await mock.listen()).url));
    let turn = 0;
    compared += await tell(story, (method, path, body) => {
      turn += 1;
      return ask(fetch, urls[turn % 2] ?? '')(method, path, body);
    });
    await Promise.all(mocks.map((mock) => mock.close()));
  });
  await fc.assert(property, { numRuns: 20 });
  return compared;
}

describe('two mocks of any collections answer any sequence of requests over their ports as a map of maps does', () => {
  test('on a file of SQLite', async () => {
    expect(await compare((run) => `file:${join(folder, `model-${run}.db`)}`)).toBeGreaterThan(20);
  });

  test.skipIf(!hasRedisServer)(`on a Redis ${hasRedisServer ? '' : withoutRedisServer}`, async () => {
    const redis = await startRedisServer();
    expect(await compare((run) => `${redis.url}?prefix=model-${run}`)).toBeGreaterThan(20);
    await redis.kill();
  });
});

const info = { title: 'Shops', version: '1' };
writeFileSync(join(folder, 'shops.json'), JSON.stringify({ openapi: '3.1.0', info, paths: shopPaths }));

beforeAll(buildWhenStale, 120_000);

async function send(url: string, method: string, id?: string): Promise<number> {
  const body = id === undefined ? null : JSON.stringify({ id });
  const answer = await fetch(url, { method, headers: { 'content-type': 'application/json' }, body });
  await answer.arrayBuffer();
  return answer.status;
}

async function list(url: string): Promise<readonly { readonly id: string }[]> {
  // `as`: the document declares a list of items.
  return (await (await fetch(url)).json()) as readonly { readonly id: string }[];
}

/** Deletes a shop in one process while both create below it; returns the orders and lines of the next shop of its id. */
async function race([one, two]: readonly [string, string], hasOrder: boolean): Promise<readonly unknown[]> {
  await send(`${one}/shops`, 'POST', 'a');
  if (hasOrder) await send(`${one}/shops/a/orders`, 'POST', 'b');
  const creates = [0, 1, 2, 3, 4, 5].flatMap((number) => [
    send(`${two}/shops/a/orders`, 'POST', `posted-${number}`),
    send(`${two}/shops/a/orders/put-${number}`, 'PUT', `put-${number}`),
    send(`${two}/shops/a/orders/b/lines`, 'POST', `line-${number}`),
  ]);
  const [deleted] = await Promise.all([send(`${one}/shops/a`, 'DELETE'), ...creates]);
  if (deleted !== 200) {
    for (const { id } of await list(`${one}/shops/a/orders`))
      await send(`${one}/shops/a/orders/${id}`, 'DELETE');
    await send(`${one}/shops/a`, 'DELETE');
    return [];
  }
  await send(`${one}/shops`, 'POST', 'a');
  await send(`${one}/shops/a/orders`, 'POST', 'b');
  const orders = await list(`${two}/shops/a/orders`);
  const lines = await list(`${two}/shops/a/orders/b/lines`);
  for (const { id } of orders) await send(`${one}/shops/a/orders/${id}`, 'DELETE');
  await send(`${one}/shops/a`, 'DELETE');
  return [...orders.filter(({ id }) => id !== 'b'), ...lines];
}

async function raceOn(store: string, deletedParent: 'cascade' | 'refuse'): Promise<readonly unknown[]> {
  const answers = [`deleted-parent=${deletedParent}`, 'unknown-key-replaced=create'];
  const words = ['mock', 'shops.json', '--port', '0', '--quiet', '--store', store];
  for (const answer of answers) words.push('--answer', answer);
  const start = () => startCommand(words, { folder, ready: /(http:\/\/127\S+)\n/u });
  const mocks = [await start(), await start()] as const;
  const left: unknown[] = [];
  for (let round = 0; round < 40; round += 1) {
    left.push(...(await race([mocks[0].url, mocks[1].url], deletedParent === 'cascade')));
  }
  await Promise.all(mocks.map((mock) => mock.stop()));
  return left;
}

test.each(['cascade', 'refuse'] as const)(
  'two mocks on one SQLite file leave no child of a deleted parent (deleted-parent: %s)',
  async (deletedParent) => {
    expect(await raceOn(`file:${deletedParent}.db`, deletedParent)).toEqual([]);
  },
);

describe.skipIf(!hasRedisServer)(`two mocks on one Redis ${withoutRedisServer}`, () => {
  test.each(['cascade', 'refuse'] as const)(
    'leave no child of a deleted parent (deleted-parent: %s)',
    async (deletedParent) => {
      const server = await startRedisServer();
      expect(await raceOn(server.url, deletedParent)).toEqual([]);
      await server.kill();
    },
  );
});
