import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createMock } from 'cloche';
import { stockUp } from './stock-up.js';

let mock;
let store;

before(async () => {
  // What is there at the start, and again after each reset.
  mock = await createMock(undefined, { tokens: ['secret'], data: { '/plants': [{ id: 1, name: 'Fern' }] } });
  const { url } = await mock.listen();
  store = { url, token: 'secret' };
});
afterEach(() => mock.reset());
after(() => mock.close());

const delivery = [
  { id: 2, name: 'Basil', tag: 'herb' },
  { id: 3, name: 'Moss' },
];

test('brings every plant to the store', async () => {
  assert.deepEqual(await stockUp(delivery, store), { taken: ['Basil', 'Moss'], refused: [] });
  const { resources } = await mock.state.list('/plants');
  assert.deepEqual(
    resources.map(({ value }) => value.name),
    ['Fern', 'Basil', 'Moss'],
  );
});

test('goes on after a plant that the store has already', async () => {
  const fern = { id: 1, name: 'Fern' };
  assert.deepEqual(await stockUp([fern, ...delivery], store), {
    taken: ['Basil', 'Moss'],
    refused: ['Fern'],
  });
  const { verified, message } = mock.requests.verify({ body: { name: 'Basil', tag: 'herb' } }, 1);
  assert.ok(verified, message);
});

test('goes on after a connection that broke', async () => {
  mock.faults.put({ times: 1, connection: 'drop' });
  assert.deepEqual(await stockUp(delivery, store), { taken: ['Moss'], refused: ['Basil'] });
});

test('is told by the store why nothing was taken', async () => {
  assert.deepEqual(await stockUp(delivery, { ...store, token: 'other' }), {
    taken: [],
    refused: ['Basil', 'Moss'],
  });
  const conditions = mock.requests.list().map(({ condition }) => condition);
  assert.deepEqual(conditions, ['invalid-credentials', 'invalid-credentials']);
});
