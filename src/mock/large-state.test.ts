import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createMock } from './create-mock.ts';
import type { Mock } from './mock.ts';

const order = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const content = (schema: object) => ({ 'application/json': { schema } });
const contract = contractOf({
  paths: {
    '/orders': {
      post: {
        requestBody: { required: true, content: content(order) },
        responses: { '201': { description: 'created', content: content(order) } },
      },
      get: {
        parameters: [{ name: 'sort', in: 'query', schema: { type: 'string' } }],
        responses: {
          '200': {
            description: 'orders',
            content: content({ type: 'object', properties: { items: { type: 'array', items: order } } }),
          },
        },
      },
    },
  },
} as never);
const size = 20_000;
const rows = Array.from({ length: size }, (_, index) => ({
  id: index + 1,
  name: `Order ${(index * 7) % size}`,
}));
let mock: Mock;
let url = '';

beforeAll(async () => {
  mock = await createMock(contract);
  ({ url } = await mock.listen());
});
afterAll(() => mock.close());

/** How many turns others have while something is under way. */
async function turnsDuring<T>(work: Promise<T>): Promise<readonly [turns: number, result: T]> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  const result = await work.finally(() => {
    isOver = true;
  });
  return [turns, result];
}

const json = (path: string, init?: RequestInit): Promise<unknown> =>
  fetch(`${url}${path}`, init).then((response) => response.json());

test('others have their turn while a large state is brought in, shown, searched and kept', async () => {
  const body = JSON.stringify({ '/orders': rows });
  const headers = { 'content-type': 'application/json' };
  const [, imported] = await turnsDuring(json('/__cloche/state/import', { method: 'POST', headers, body }));
  expect(imported).toEqual({ added: size, replaced: 0 });

  // Of one turn for each five hundred to thousand rows, some fall together with those of the connection.
  const [exporting, exported] = await turnsDuring(json('/__cloche/state/export'));
  expect(exported).toEqual({ '/orders': rows });
  expect(exporting).toBeGreaterThan(20);

  const [listing, listed] = await turnsDuring(json('/orders'));
  expect(listed).toEqual({ items: rows });
  expect(listing).toBeGreaterThan(20);

  const [sorting, sorted] = await turnsDuring(json('/orders?sort=-name'));
  const names = rows.map(({ name }) => name).toSorted();
  expect((sorted as { items: typeof rows }).items.map(({ name }) => name)).toEqual(names.toReversed());
  expect(sorting).toBeGreaterThan(50);

  const search = '/__cloche/state/resources?collection=/orders&search=order%207';
  const [searching, found] = await turnsDuring(json(search));
  expect(found).toMatchObject({ total: names.filter((name) => name.startsWith('Order 7')).length });
  expect(searching).toBeGreaterThan(10);
});
