import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMock } from '../../mock/create-mock.ts';
import { openFaults } from '../mock-setup.ts';
import { createFaultSource } from './watch-mock.ts';

const folder = await mkdtemp(join(tmpdir(), 'cloche-watch-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const contract = contractOf({
  paths: {
    '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'Orders.' } } } },
  },
});

test('takes up another file of rules beside --delay, and leaves them where it cannot be used', async () => {
  const file = join(folder, 'rules.yaml');
  const given = { faults: file, delay: '1' };
  await writeFile(file, '- {id: down, answer: {status: 503}}\n- {id: busy, answer: {status: 429}}\n');
  const mock = await createMock(contract, { faults: await openFaults(given, contract) });
  const source = createFaultSource({ mock, file, given });
  expect(source.files()).toEqual([file]);
  await writeFile(file, '- {id: down, anwser: {status: 503}}\n');
  await expect(source.takeUp([file])).rejects.toThrow('Perhaps "answer" was meant');
  expect((await mock.fetch('/orders')).status).toBe(503);
  await writeFile(file, '- {id: gone, times: 1, answer: {status: 404}}\n- {id: busy, delay: 1}\n');
  expect(await source.takeUp([file])).toEqual([
    'added    fault gone',
    'changed  fault busy',
    'removed  fault down',
  ]);
  expect((await mock.fetch('/orders')).status).toBe(404);
  expect((await mock.fetch('/orders')).status).toBe(200);
  expect(mock.faults.list().map(({ id }) => id)).toEqual(['gone', 'busy', 'delay']);
});
