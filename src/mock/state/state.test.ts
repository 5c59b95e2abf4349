import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMockClient, openMock } from '../../../fixtures/mock-client.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject } from '../../json/value.ts';
import { DataError } from './rows.ts';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';

const order: JsonObject = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string', maxLength: 40 },
    amount: { type: 'number' },
  },
};
const contract = contractOf({
  paths: {
    '/orders': {
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: order } } },
        responses: { '201': { description: 'created', content: { 'application/json': { schema: order } } } },
      },
    },
  },
});

const numbers = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.constantFrom('1', '1.0', '1e2', '-0', '9007199254740993', '1.10', '12.5', '0.1e-7'),
);
const values = fc.oneof(numbers, fc.constantFrom('"x"', 'null', '{}', '[1.0]', 'true'));
const texts = fc
  .record({
    id: values,
    name: fc.oneof(
      fc.string().map((text) => JSON.stringify(text)),
      values,
    ),
    amount: values,
  })
  .map(({ id, name, amount }) => `{"id":${id},"name":${name},"amount":${amount}}`);

function read(text: string): JsonObject {
  const parsed = parseJson(text);
  // `as`: the texts above are objects.
  return (parsed.kind === 'json' ? parsed.value : {}) as JsonObject;
}

test('puts exactly what a create takes, and put, get, export and import keep every digit', async () => {
  const { mock: created, post } = await openMock(contract);
  const { mock: put } = await openMock(contract);
  const { mock: copy } = await openMock(contract);
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      await Promise.all([created, put, copy].map((mock) => mock.reset()));
      const value = read(text);
      const { status } = await post('/orders', stringifyJson(value));
      const kept = await put.state.put('/orders', value).catch((error: unknown) => error);
      expect(kept instanceof DataError).toBe(status >= 400);
      const before = await created.state.export();
      const after = await put.state.export();
      expect(stringifyJson(Object.values(after).flat())).toBe(stringifyJson(Object.values(before).flat()));
      await copy.state.import(after);
      const again = await copy.state.export();
      expect(stringifyJson(Object.values(again).flat())).toBe(
        status >= 400 ? '[]' : `[${stringifyJson(value)}]`,
      );
    }),
    { numRuns: 60 },
  );
});

test('keys that differ past 2^53 are two, and 1.0 is the key 1', async () => {
  const { mock } = await openMock(contract);
  for (const id of ['9007199254740992', '9007199254740993', '1.0']) {
    await mock.state.put('/orders', { id: new ExactNumber(id), name: id });
  }
  expect((await mock.state.list('/orders')).total).toBe(3);
  expect((await mock.state.get('/orders', '9007199254740993'))?.value['name']).toBe('9007199254740993');
  expect((await mock.state.get('/orders', '1'))?.value['name']).toBe('1.0');
});

const rows = Array.from({ length: 25_000 }, (_, index) => ({ id: index + 1, name: 'of the import' }));

/** The numbers of resources that are seen, each once, while something is under way. */
async function countsDuring(mock: Mock, work: Promise<unknown>): Promise<readonly number[]> {
  const counts = new Set<number>();
  const ended = new AbortController();
  async function look(): Promise<void> {
    while (!ended.signal.aborted) {
      const [orders] = await mock.state.collections();
      counts.add(orders?.count ?? 0);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }
  const looking = look();
  await work.finally(() => ended.abort());
  await looking;
  return [...counts];
}

test.each([
  ['replace', 25_000],
  ['merge', 25_001],
] as const)('a client sees all rows of an import or none (%s)', async (mode, count) => {
  const mock = await createMock(contract, { data: { '/orders': [{ id: 0, name: 'a' }] } });
  let mutex = 0;
  const counting = setInterval(() => {
    mutex += 1;
  }, 0);
  const seen = await countsDuring(mock, mock.state.import({ '/orders': rows }, mode));
  clearInterval(counting);
  expect(mutex).toBeGreaterThan(5);
  expect(new Set([...seen, 1, count])).toEqual(new Set([1, count]));
  expect((await mock.state.collections())[0]?.count).toBe(count);
});

test('a merge keeps what a client creates meanwhile', async () => {
  const mock = await createMock(contract, { data: { '/orders': [{ id: 0, name: 'a' }] } });
  const importing = mock.state.import({ '/orders': rows }, 'merge');
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  await createMockClient(mock).post('/orders', { id: 30_000, name: 'a' });
  expect(await importing).toEqual({ added: 25_000, replaced: 0 });
  expect(await mock.state.get('/orders', '30000')).toBeDefined();
});

test('a policy that changes during an import applies to the imported rows', async () => {
  const mock = await createMock(contract);
  const importing = mock.state.import({ '/orders': rows });
  const changing = mock.change({ policy: { constraints: { name: { maxLength: 3 } } } });
  await importing;
  expect((await changing).setAside).toHaveLength(25_000);
  expect((await mock.state.collections())[0]?.count).toBe(0);
});
