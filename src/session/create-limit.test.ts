import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { Answer } from '../http/message.ts';
import { createCreateLimit } from './create-limit.ts';

const json = { content: { 'application/json': { schema: { type: 'object' } } } };
const ok = { 200: { description: 'ok', ...json } };
const body = { requestBody: { required: true, ...json } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const contract = contractOf({
  openapi: '3.1.0',
  paths: {
    '/items': {
      get: { operationId: 'list', responses: ok },
      post: { operationId: 'create', ...body, responses: { 201: { description: 'made', ...json } } },
    },
    '/items/{id}': {
      parameters: [id],
      get: { operationId: 'read', responses: ok },
      put: { operationId: 'put', ...body, responses: { ...ok, 201: { description: 'made', ...json } } },
      patch: { operationId: 'patch', ...body, responses: ok },
      delete: { operationId: 'delete', responses: ok },
    },
    '/search': { post: { operationId: 'search', ...body, responses: ok } },
  },
});

const answer = (status: number): Answer => ({
  kind: 'response',
  response: { status, headers: [], body: new Uint8Array() },
});
const operationOf = (method: string, path: string): (typeof contract.operations)[number] | undefined =>
  contract.operations.find((each) => each.method === method && each.path.template === path);

/** Reserves for a request, and settles with a status. */
async function send(
  limit: ReturnType<typeof createCreateLimit>,
  [method, target, status]: readonly [method: string, target: string, status: number | undefined],
): Promise<boolean> {
  const operation = operationOf(method, target.replace(/^\/items\/\d+.*/u, '/items/{id}'));
  const settle = await limit.reserve({ method, target }, operation);
  settle?.(status === undefined ? undefined : answer(status));
  return settle !== undefined;
}

test('counts what creates an item, what may, and what does not', async () => {
  const limit = createCreateLimit(Infinity, (path) => path === '/items/9');
  for (const sent of [
    ['POST', '/items', 201],
    ['POST', '/items', 409],
    ['POST', '/items', 500],
    ['POST', '/items', 503],
    ['POST', '/items', undefined],
    ['POST', '/search', 200],
    ['POST', '/unknown', 200],
    ['PUT', '/items/1', 201],
    ['PUT', '/items/9?x=1', 200],
    ['PATCH', '/items/1', 200],
    ['DELETE', '/items/1', 204],
    ['GET', '/items', 200],
  ] as const) {
    expect(await send(limit, sent)).toBe(true);
  }
  expect(limit.tally).toEqual({ created: 2, perhaps: 3, deleted: 0 });
});

test('never lets more requests pass than the limit, and gives back what was refused', async () => {
  const limit = createCreateLimit(2);
  const create = operationOf('POST', '/items');
  const request = { method: 'POST', target: '/items' };
  const first = await limit.reserve(request, create);
  const second = await limit.reserve(request, create);
  const third = limit.reserve(request, create);
  const fourth = limit.reserve(request, create);
  first?.(answer(201));
  second?.(answer(400));
  // One of the two that wait goes on; its success leaves nothing for the other.
  const settled = await third;
  expect(settled).toBeDefined();
  settled?.({ kind: 'timed-out', afterMs: 5, received: new Uint8Array() });
  expect(await fourth).toBeUndefined();
  expect(limit.whyNot()).toBe('not sent, because of --max-creates 2');
  expect(limit.tally).toEqual({ created: 1, perhaps: 1, deleted: 0 });
  expect(await send(limit, ['GET', '/items', 200])).toBe(true);
  expect(await send(createCreateLimit(0), ['POST', '/items', 201])).toBe(false);
});
