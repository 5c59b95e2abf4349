import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { twinKeys } from '../../suites/twin-keys.ts';
import { validBodies } from '../../suites/valid-bodies.ts';
import { createMock } from './create-mock.ts';
import type { Mock } from './mock.ts';

const serverMadeId = fileURLToPath(new URL('../../fixtures/documents/server-made-id.yaml', import.meta.url));
/** What the other suites send is refused before a store is asked. */
const storingSuites = [validBodies, samples, twinKeys, repeatedKeys, concurrency, sequences, policyAnswers];
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
  const folder = mkdtempSync(join(tmpdir(), 'cloche-answers-'));

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('answers as one in memory does', { timeout: 60_000 }, async () => {
    expect(await findAll([usual], (index) => `file:${folder}/${index}.db`)).toEqual([]);
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
