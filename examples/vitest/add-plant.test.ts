import { createMock } from 'cloche';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addPlant } from './add-plant.ts';

const mock = await createMock(undefined, { tokens: ['secret'] });
const network = getGlobalDispatcher();

beforeAll(async () => {
  setGlobalDispatcher(await mock.dispatcher({ origins: ['https://plants.example.com'] }));
});
// Each test finds the store as it was at the start.
afterEach(() => mock.reset());
afterAll(async () => {
  setGlobalDispatcher(network);
  await mock.close();
});

test('adds a plant', async () => {
  expect(await addPlant({ id: 1, name: 'Basil' }, 'secret')).toBe('Basil');
  expect(await mock.state.get('/plants', '1')).toMatchObject({ value: { id: 1, name: 'Basil' } });
});

test('says what the store has against a plant', async () => {
  await mock.state.put('/plants', { id: 1, name: 'Fern' });
  await expect(addPlant({ id: 1, name: 'Basil' }, 'secret')).rejects.toThrow(
    /^The store did not take Basil: /u,
  );
  expect(mock.requests.list({ condition: 'duplicate-key' })).toHaveLength(1);
});

test('is turned away with another token', async () => {
  await expect(addPlant({ id: 1, name: 'Basil' }, 'other')).rejects.toThrow('The store did not take Basil');
  expect((await mock.state.list('/plants')).total).toBe(0);
});

test('asks once more where the store has too much to do', async () => {
  mock.faults.put({ operation: 'createPlant', times: 1, answer: { status: 429, retryAfter: 0 } });
  expect(await addPlant({ id: 1, name: 'Basil' }, 'secret')).toBe('Basil');
  expect(mock.requests.list().map(({ status }) => status)).toEqual([429, 200]);
});
