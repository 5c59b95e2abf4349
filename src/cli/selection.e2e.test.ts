import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { loadContract } from '../contract/load.ts';
import { createMock } from '../mock/create-mock.ts';
import type { Listener, Mock } from '../mock/mock.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-selection-'));
const document = join(folder, 'orders.yaml');
const minute = 60_000;
let mock: Mock;
let listener: Listener;

writeFileSync(
  document,
  [
    'openapi: 3.1.0',
    "info: { title: Orders, version: '1' }",
    'paths:',
    '  /orders:',
    '    get: { operationId: listOrders, tags: [reads], responses: { 200: { description: OK, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Order" } } } } } } }',
    '    post: { operationId: createOrder, requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/NewOrder" } } } }, responses: { 201: { description: OK, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }, 400: { description: Bad } } }',
    '  /orders/{id}:',
    '    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]',
    '    get: { operationId: readOrder, tags: [reads], responses: { 200: { description: OK, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }, 400: { description: Bad }, 404: { description: None } } }',
    '    delete: { operationId: deleteOrder, responses: { 204: { description: Gone }, 400: { description: Bad }, 404: { description: None } } }',
    '  /purge: { post: { operationId: purge, responses: { 204: { description: Gone } } } }',
    'components:',
    '  schemas:',
    '    NewOrder: { type: object, required: [name], properties: { name: { type: string, minLength: 1, maxLength: 20 } } }',
    '    Order: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }',
  ].join('\n'),
);

beforeAll(() => buildWhenStale(), 2 * minute);
beforeEach(async () => {
  mock = await createMock(await loadContract(document, { followReferences: false }), { data: 'none' });
  listener = await mock.listen({ port: 0 });
  return async () => {
    await listener.close();
    await mock.close();
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...words: readonly string[]): Promise<Ended> =>
  runCloche(['test', listener.url, '-d', document, '--runs', '5', '--seed', '1', ...words], { folder });

/** Returns the operations that the mock received. */
const received = (): ReadonlySet<string | undefined> =>
  new Set(mock.requests.list().map(({ operation }) => operation));

test(
  'never calls an excluded operation that creates nothing, and says how many were left out',
  { timeout: minute },
  async () => {
    const { code, stdout } = await run('--exclude-operation', 'purge');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PASS .*; 1 operation left out;/mu);
    expect(received()).toEqual(new Set(['createOrder', 'listOrders', 'readOrder', 'deleteOrder', undefined]));
  },
);

test('creates items with excluded operations, and deletes none with them', { timeout: minute }, async () => {
  const { code, stdout } = await run('--include-operation', 'readOrder');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^PASS .*; 4 operations left out;/mu);
  expect(received()).toContain('createOrder');
  expect(received()).not.toContain('deleteOrder');
});

test('sends nothing of excluded operations with --isolated', { timeout: minute }, async () => {
  const { stdout } = await run('--include-tag', 'reads', '--isolated', '--verbose');
  expect(stdout).toMatch(/; 3 operations left out/u);
  for (const operation of ['createOrder', 'deleteOrder', 'purge'])
    expect(received()).not.toContain(operation);
  expect(received()).toContain('listOrders');
});

test.each(['--list', '--dry-run'])('sends nothing with %s', async (option) => {
  const { code, stdout } = await run(option, '--exclude-path', '/orders/**', '--unsafe-methods');
  expect(code).toBe(0);
  expect(stdout).toContain('Orders 1: 1 of 5 operations\n  POST /purge  purge\n');
  expect(stdout).toContain('left out by --include and --exclude options');
  expect(stdout).toContain('Nothing was sent.');
  expect(mock.requests.list()).toEqual([]);
});

test('lists only the part of a shard, and all shards list the whole run', async () => {
  const listProperties = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await run('--dry-run', ...words);
    return stdout.match(/^ {2}[\w-]+\/.*$/gmu) ?? [];
  };
  const parts = await Promise.all(['1/3', '2/3', '3/3'].map((shard) => listProperties('--shard', shard)));
  const whole = await listProperties();
  expect(parts.flat().toSorted()).toEqual(whole.toSorted());
  expect(parts.map(({ length }) => length < whole.length)).toEqual([true, true, true]);
  // There are more shards than properties, so the last one has none.
  const { stdout } = await run('--list', '--shard', '1000/1000', '--unsafe-methods');
  expect(stdout).toMatch(/^Shard 1000\/1000: Orders 1: 0 of 5 operations\n\nUp to 0 properties, 0 cases;/u);
});

test('sends and prints one valid request of each operation with --smoke', async () => {
  const { code, stdout } = await run('--smoke', '--include-tag', 'reads');
  expect(code).toBe(0);
  // The third creates the item that is read.
  expect(stdout.match(/^ {2}curl .*$/gmu)).toHaveLength(3);
});

test('says that --read-only is why operations were not sent', { timeout: minute }, async () => {
  const { stdout } = await run('--read-only');
  expect(stdout).toMatch(/createOrder.*not sent: --read-only|not sent: --read-only.*createOrder/u);
  expect(stdout).not.toContain('may create up to');
  const preview = await run('--read-only', '--dry-run');
  expect(preview.stdout).toMatch(/Up to \d+ properties, \d+ cases\. Nothing was sent\.$/mu);
});

test('the mock serves the selected operations only', async () => {
  const { code, stderr } = await runCloche(['mock', document, '--include-operation', 'listOrder'], {
    folder,
  });
  expect([code, stderr]).toEqual([
    2,
    'Failed to read the option "--include-operation listOrder": no operation of Orders has this id. Perhaps listOrders was meant.\n',
  ]);
});

test(
  'removes from a baseline only entries of operations that the run tested in full',
  { timeout: 2 * minute },
  async () => {
    const file = join(folder, 'known.json');
    const entries = ['listOrders', 'readOrder', 'purge', undefined].map((operation, index) => ({
      id: `server-error-00000000000${index}`,
      operation,
    }));
    const keptAfter = async (...words: readonly string[]): Promise<readonly unknown[]> => {
      writeFileSync(file, JSON.stringify({ findings: entries }));
      await run('--baseline', file, '--update-baseline', ...words);
      // `as`: a baseline is an object with findings.
      const { findings } = JSON.parse(readFileSync(file, 'utf8')) as { findings: { operation?: string }[] };
      return findings.map(({ operation }) => operation);
    };
    expect(await keptAfter('--read-only')).toEqual(['listOrders', 'readOrder', 'purge', undefined]);
    expect(await keptAfter('--smoke')).toEqual(['listOrders', 'readOrder', 'purge', undefined]);
    expect(await keptAfter('--exclude-operation', 'purge')).toEqual(['purge', undefined]);
    expect(await keptAfter()).toEqual(['purge', undefined]);
    expect(await keptAfter('--unsafe-methods')).toEqual([]);
  },
);
