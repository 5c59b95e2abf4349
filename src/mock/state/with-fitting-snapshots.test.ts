import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { Contract } from '../../contract/contract.ts';
import { createMock } from '../create-mock.ts';

/** A contract of orders that must have these properties. */
function ordersWith(...required: readonly string[]): Contract {
  const properties = { id: { type: 'integer' }, name: { type: 'string' } };
  const media = { 'application/json': { schema: { type: 'object', required: [...required], properties } } };
  const operation = {
    requestBody: { required: true, content: media },
    responses: { 200: { description: 'Kept.', content: media }, 400: { description: 'Refused.' } },
  };
  return contractOf({ paths: { '/orders': { post: operation } } });
}

const orders = ordersWith('id');
const named = ordersWith('id', 'name');

test('sets aside what a snapshot holds that does not fit any more', async () => {
  const mock = await createMock(orders, { data: { '/orders': [{ id: 1 }, { id: 2, name: 'b' }] } });
  await mock.state.save('two');
  await mock.change({ contract: named });
  expect(await mock.state.restore('two')).toBe(true);
  expect(await mock.state.export()).toEqual({ '/orders': [{ id: 2, name: 'b' }] });
  expect(await mock.state.snapshots()).toEqual([
    { name: 'set-aside', count: 1 },
    { name: 'two', count: 2 },
  ]);
  await mock.change({ contract: orders });
  expect((await mock.state.list('/orders')).total).toBe(2);
});

test('forgets with the state that a snapshot takes the place of what was set aside of it', async () => {
  const mock = await createMock(orders, { data: { '/orders': [{ id: 1 }] } });
  await mock.state.save('one');
  await mock.state.put('/orders', { id: 2 });
  await mock.change({ contract: named });
  await mock.state.restore('one');
  expect((await mock.change({ contract: orders })).broughtBack).toBe(1);
  expect(await mock.state.export()).toEqual({ '/orders': [{ id: 1 }] });
});

test('keeps the name under which it sets aside to itself', async () => {
  const mock = await createMock(orders);
  await expect(mock.state.save('set-aside')).rejects.toThrow('Choose another name');
  await expect(mock.state.restore('set-aside')).rejects.toThrow('Choose another name');
  expect(await mock.state.forget('set-aside')).toBe(false);
});

test('knows no more snapshots than before', async () => {
  const mock = await createMock(orders);
  expect(await mock.state.restore('none')).toBe(false);
});
