import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createEventLoopYield, createMockClock } from './clock.ts';
import { createMock } from './create-mock.ts';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject } from '../json/value.ts';
import type { Mock } from './mock.ts';

test('others have a turn after so many, and not before', async () => {
  const yieldToEventLoop = createEventLoopYield(3);
  let mutex = 0;
  setImmediate(() => {
    mutex += 1;
  });
  expect([yieldToEventLoop(), yieldToEventLoop()]).toEqual([undefined, undefined]);
  await Promise.resolve();
  expect(mutex).toBe(0);
  await yieldToEventLoop();
  await yieldToEventLoop();
  await yieldToEventLoop();
  await yieldToEventLoop();
  expect(mutex).toBe(1);
});

test('timers that a test has stopped do not stop it', async () => {
  vi.useFakeTimers();
  try {
    await expect(createEventLoopYield(1)()).resolves.toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test('goes as its source does until it is set, and on from there', () => {
  let time = 1_000;
  const clock = createMockClock(() => time);
  expect(clock.now()).toBe(1_000);
  clock.set(5_000);
  time = 1_250;
  expect(clock.now()).toBe(5_250);
  clock.advance(750);
  expect(clock.now()).toBe(6_000);
  clock.reset();
  expect(clock.now()).toBe(1_250);
});

test('stands still while it is frozen, and goes on from where it stood', () => {
  let time = 1_000;
  const clock = createMockClock(() => time);
  clock.freeze(true);
  time = 9_000;
  expect([clock.now(), clock.isFrozen]).toEqual([1_000, true]);
  clock.advance(500);
  expect(clock.now()).toBe(1_500);
  clock.freeze(false);
  time = 9_100;
  expect([clock.now(), clock.isFrozen]).toEqual([1_600, false]);
});

test('refuses a time that no Date can hold, and stays as it was', () => {
  const clock = createMockClock(() => 7);
  expect(() => clock.set(Number.NaN)).toThrow(
    'Failed to set the clock to "NaN": it is no time that a Date can hold.',
  );
  expect(() => clock.advance(1e300)).toThrow('Give milliseconds since 1970.');
  expect(clock.now()).toBe(7);
});

test('the Date of each response is its time, without a port and over one', async () => {
  const mock = await createMock();
  const { url } = await mock.listen();
  mock.clock.set(Date.parse('2031-02-03T04:05:06Z'));
  mock.clock.freeze(true);
  for (const response of [await mock.fetch('http://mock/plants'), await fetch(`${url}/plants`)]) {
    expect(response.headers.get('date')).toBe('Mon, 03 Feb 2031 04:05:06 GMT');
  }
  mock.clock.reset();
  const { headers } = await fetch(`${url}/plants`);
  expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())).toBeLessThan(60_000);
  await mock.close();
});

const order = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const content = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const creates = (schema: JsonObject): JsonObject => ({
  requestBody: { required: true, content: content(schema) },
  responses: { '201': { description: 'created', content: content(schema) } },
});
const envelope = { type: 'object', properties: { items: { type: 'array', items: order } } };
const contract = contractOf({
  paths: {
    '/orders': {
      post: creates(order),
      get: {
        parameters: ['sort', 'cursor'].map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
        responses: { '200': { description: 'orders', content: content(envelope) } },
      },
    },
  },
});
const size = 20_000;
const rows = Array.from({ length: size }, (_, index) => ({
  id: index + 1,
  name: `Order ${(index * 7) % size}`,
}));
const sorted = rows.toSorted((a, b) => (a.name < b.name ? 1 : -1));
let mock: Mock;
let url = '';

beforeAll(async () => {
  mock = await createMock(contract, { data: { '/orders': rows } });
  ({ url } = await mock.listen());
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => mock.close());

/** How often each module waited for others to have their turn while something was under way. */
async function pausesDuring<T>(
  work: () => Promise<T>,
): Promise<{ readonly pauses: Readonly<Record<string, number>>; readonly result: T }> {
  const pauses: Record<string, number> = {};
  // A turn is waited for by a message to oneself, which nothing else in a mock sends.
  class Counting extends globalThis.MessageChannel {
    constructor() {
      super();
      const lines = (new Error('a pause').stack ?? '').split('\n');
      const caller = lines[lines.findLastIndex((line) => line.includes('/mock/clock.ts')) + 1] ?? '';
      const [, module = caller] = /\/src\/mock\/(.+?)\.ts/u.exec(caller) ?? [];
      pauses[module] = (pauses[module] ?? 0) + 1;
    }
  }
  vi.stubGlobal('MessageChannel', Counting);
  const result = await work();
  vi.unstubAllGlobals();
  return { pauses, result };
}

const json = (path: string, init?: RequestInit): Promise<unknown> =>
  fetch(`${url}${path}`, init).then((response) => response.json());
const headers = { 'content-type': 'application/json' };
const send = (path: string): Promise<unknown> =>
  json(path, { method: 'POST', headers, body: JSON.stringify({ '/orders': rows }) });
const search = '/__cloche/state/resources?collection=/orders&search=order%207';
const found = rows.filter(({ name }) => name.startsWith('Order 7')).length;

interface Work {
  readonly work: () => Promise<unknown>;
  readonly result: unknown;
  /** How often a module goes through all rows, or through a list that is as long. */
  readonly passes: Readonly<Record<string, number>>;
}

const works: Readonly<Record<string, Work>> = {
  'an import': {
    work: () => send('/__cloche/state/import'),
    result: { added: size, replaced: 0 },
    passes: { 'state/collections': 1, 'state/initial-data': 3, 'store/memory-store': 1 },
  },
  'an import that is merged': {
    work: () => send('/__cloche/state/import?mode=merge'),
    result: { added: 0, replaced: size },
    passes: { 'state/collections': 1, 'state/initial-data': 5, 'store/memory-store': 1 },
  },
  'an export': {
    work: () => json('/__cloche/state/export'),
    result: { '/orders': rows },
    passes: { 'control/api': 1, 'state/state': 1 },
  },
  'a search': {
    work: () => json(search),
    result: expect.objectContaining({ total: found }),
    passes: { 'state/state': 1 },
  },
  'a list': {
    work: () => json('/orders'),
    result: { items: rows },
    passes: { 'handlers/list-pages': 1, 'handlers/list-text': 2 },
  },
  'a list that is sorted': {
    work: () => json('/orders?sort=-name'),
    result: { items: sorted },
    // It sorts twenty parts, and merges two and two of them.
    passes: { 'handlers/list-pages': 6, 'handlers/list-text': 2 },
  },
  'a page behind an item': {
    work: () => json(`/orders?cursor=${size - 1}`),
    result: { items: rows.slice(-1) },
    passes: { 'handlers/list-pages': 1 },
  },
  'a change': {
    work: () => mock.change({ policy: { constraints: { name: { maxLength: 30 } } } }),
    result: expect.objectContaining({ setAside: [] }),
    passes: { 'state/migrate-state': 1 },
  },
};

test.each(Object.entries(works))(
  'others have their turn for each thousand rows that %s goes through',
  async (_, { work, result, passes }) => {
    const done = await pausesDuring(work);
    expect(done.result).toEqual(result);
    const rare = Object.entries(passes).filter(
      // A pass ends without a pause.
      ([module, times]) => (done.pauses[module] ?? 0) < times * (size / 1_000 - 1),
    );
    expect([rare, done.pauses]).toEqual([[], expect.any(Object)]);
  },
);

test('others have their turn for each hundred rows that are made up', async () => {
  const customer = { type: 'object', properties: { id: { type: 'integer' } } };
  const bill = {
    type: 'object',
    required: ['customerId'],
    properties: { id: { type: 'integer' }, customerId: { type: 'integer' } },
  };
  const { pauses, result } = await pausesDuring(() =>
    createMock(
      contractOf({ paths: { '/customers': { post: creates(customer) }, '/bills': { post: creates(bill) } } }),
      {
        dataCount: 2_000,
      },
    ),
  );
  expect((await result.state.collections()).map(({ count }) => count)).toEqual([2_000, 2_000]);
  expect(pauses['state/made-rows']).toBeGreaterThan(35);
  expect(pauses['state/made-relations']).toBeGreaterThan(15);

  const customers = rows.map(({ id }) => ({ id }));
  const imported = await pausesDuring(() => result.state.import({ '/customers': customers }));
  // The highest number is looked for too, behind which the mock counts on.
  expect(imported.pauses['state/initial-data']).toBeGreaterThan(4 * (size / 1_000 - 1));
});
