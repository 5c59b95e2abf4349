import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMockClient } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import { createMemoryStore } from '../store/memory-store.ts';

const order: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const media = { 'application/json': { schema: order } };
const contract = contractOf({
  paths: {
    '/orders': {
      post: {
        requestBody: { required: true, content: media },
        responses: { '201': { description: 'created', content: media } },
      },
    },
  },
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
] as const)('an import that is to %s is seen whole or not at all', async (mode, count) => {
  const mock = await createMock(contract, { data: { '/orders': [{ id: 0 }] } });
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

test('a request that comes in between two rows of a merge counts', async () => {
  const mock = await createMock(contract, { data: { '/orders': [{ id: 0 }] } });
  const importing = mock.state.import({ '/orders': rows }, 'merge');
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  await createMockClient(mock).post('/orders', { id: 30_000 });
  expect(await importing).toEqual({ added: 25_000, replaced: 0 });
  expect(await mock.state.get('/orders', '30000')).toBeDefined();
});

test('a contract that changes during an import judges what came in', async () => {
  const mock = await createMock(contract);
  const importing = mock.state.import({ '/orders': rows });
  const changing = mock.change({ policy: { constraints: { name: { maxLength: 3 } } } });
  await importing;
  expect((await changing).setAside).toHaveLength(25_000);
  expect((await mock.state.collections())[0]?.count).toBe(0);
});

test('a big content that is loaded where there is none stays out where a client is first', async () => {
  const store = createMemoryStore();
  const resources = rows.map(({ id }) => ({ key: id, text: `{"id":${id}}`, claims: [] }));
  const loading = store.loadIfEmpty({ collections: [{ name: '/orders', lastNumber: 0, resources }] });
  await store.insertIfAbsent({ collection: '/orders', key: 7, text: '{"id":7}', claims: [] });
  expect(await loading).toBe(false);
  expect(await store.collections()).toEqual([{ name: '/orders', count: 1 }]);
});
