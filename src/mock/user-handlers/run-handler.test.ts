import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import type { Handler, Handlers } from './handler.ts';

const cart = {
  type: 'object',
  required: ['id', 'total'],
  properties: { id: { type: 'integer' }, total: { type: 'number' }, items: { type: 'array', items: {} } },
};
const content = { 'application/json': { schema: cart } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Carts', version: '1' },
  paths: {
    '/carts': {
      post: {
        operationId: 'createCart',
        requestBody: { required: true, content },
        responses: { 201: { description: 'New.', content }, 400: { description: 'Invalid.' } },
      },
    },
    '/carts/{id}': {
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
        { name: 'factor', in: 'query', schema: { type: 'number' } },
      ],
      get: {
        operationId: 'getCart',
        responses: {
          200: { description: 'One.', content, headers: { 'X-Age': { schema: { type: 'integer' } } } },
          404: { description: 'None.' },
        },
      },
    },
    '/note': {
      get: {
        operationId: 'getNote',
        responses: {
          200: { description: 'A note.', content: { 'text/plain': { schema: { type: 'string' } } } },
        },
      },
    },
  },
};

let mock: Mock;

beforeEach(async () => {
  mock = await createMock(document, { data: { '/carts': [{ id: 7, total: 2 }] }, seed: 42 });
});

afterEach(() => mock.close());

test('a handler sees typed values, the state, the clock and the seed', async () => {
  mock.answer('getCart', async ({ request, params, query, body, state, clock, seed, respond }) => {
    expect(request.headers.get('x-page')).toBe('home');
    expect({ params, query, body, seed }).toEqual({
      params: { id: 7 },
      query: { factor: 1.5, other: 'a b' },
      body: undefined,
      seed: 42,
    });
    expect(clock.now()).toBeGreaterThan(0);
    const kept = await state.get('/carts', '7');
    return respond(200, { ...kept?.value, total: 3 }, { 'X-Age': '5' });
  });
  const response = await mock.fetch('/carts/7?factor=1.5&other=a+b', { headers: { 'x-page': 'home' } });
  expect(response.headers.get('cloche-undeclared')).toBe(null);
  expect(response.headers.get('x-age')).toBe('5');
  expect(await response.json()).toEqual({ id: 7, total: 3 });
});

test('a handler changes the built-in response, which it gets with next()', async () => {
  mock.answer('createCart', async ({ next }) => {
    const made = await next();
    return { ...made, body: { ...Object(made.body), total: 99 } };
  });
  const init = {
    method: 'POST',
    body: '{"id":8,"total":1}',
    headers: { 'content-type': 'application/json' },
  };
  const response = await mock.fetch('/carts', init);
  expect([response.status, await response.json()]).toEqual([201, { id: 8, total: 99 }]);
  expect((await mock.state.get('/carts', '8'))?.value).toEqual({ id: 8, total: 1 });
});

test('the request is validated before the handler sees it', async () => {
  const handler = vi.fn<Handler>(({ next }) => next());
  mock.answer('getCart', handler);
  expect((await mock.fetch('/carts/seven')).status).toBe(400);
  expect(handler).not.toHaveBeenCalled();
});

test('a fixed response and a Response of fetch are handlers too', async () => {
  mock.answer('getCart', { status: 404 });
  expect((await mock.fetch('/carts/7')).status).toBe(404);
  mock.answer('getCart', () => Response.json({ id: 1, total: 1 }));
  expect(await (await mock.fetch('/carts/7')).json()).toEqual({ id: 1, total: 1 });
  mock.answer('getNote', { body: 'Buy tea.' });
  const note = await mock.fetch('/note');
  expect([note.headers.get('content-type'), await note.text()]).toEqual([
    'text/plain; charset=utf-8',
    'Buy tea.',
  ]);
});

test('reset() and the returned function restore the handlers of the start', async () => {
  await using own = await createMock(document, { handlers: { getNote: { body: 'start' } } });
  const text = async (): Promise<string> => (await own.fetch('/note')).text();
  const restore = own.answer('getNote', { body: 'later' });
  expect(await text()).toBe('later');
  restore();
  expect(await text()).toBe('start');
  own.answer('getNote', { body: 'again' });
  await own.reset(['handlers']);
  expect(await text()).toBe('start');
  await own.change({ handlers: { getNote: { body: 'changed' } } });
  expect(await text()).toBe('changed');
});

const circular: Record<string, unknown> = { id: 1 };
circular['self'] = circular;
/** Handlers as JavaScript allows them. */
const loose = (handler: (input: Parameters<Handler>[0]) => unknown): Handler => handler as Handler;

test.for<readonly [what: string, handler: Handler, message: string]>([
  [
    'throws',
    () => {
      throw new Error('no stock');
    },
    'getCart: it threw "no stock"',
  ],
  ['rejects', () => Promise.reject(new TypeError('no stock')), 'getCart: it threw "no stock"'],
  [
    'throws a text',
    loose(() => {
      // oxlint-disable-next-line typescript/only-throw-error -- JavaScript allows it
      throw 'tea';
    }),
    'getCart: it threw "tea"',
  ],
  ['returns nothing', loose(() => undefined), 'it returned nothing; return respond(200, body), or next()'],
  ['returns null', loose(() => null), 'it returned null'],
  ['returns a number', loose(() => 200), 'it returned a number'],
  ['returns a list', loose(() => []), 'it returned a list'],
  [
    'returns the bare value',
    loose(() => ({ id: 1 })),
    'it returned an object with "id"; a response has status',
  ],
  [
    'returns a text as the status',
    loose(() => ({ status: '200' })),
    'it returned the status 200; a status is',
  ],
  ['returns a status out of range', ({ respond }) => respond(99), 'it returned the status 99'],
  ['returns half a status', ({ respond }) => respond(200.5), 'it returned the status 200.5'],
  ['returns a list as headers', loose(() => ({ headers: [] })), 'it returned a list as headers'],
  [
    'returns a wrong field name',
    () => ({ headers: { 'X Y': '1' } }),
    'a header "X Y", which is no field name',
  ],
  ['returns a line break', () => ({ headers: { X: 'a\r\nb' } }), 'the header X with a line break'],
  ['returns an object as a field', loose(() => ({ headers: { X: {} } })), 'an object as the header X'],
  [
    'returns a circular value',
    ({ respond }) => respond(200, circular),
    'a circular value at /self, which JSON',
  ],
  ['returns a bigint', ({ respond }) => respond(200, { id: 1n }), 'a body with a bigint at /id'],
  ['returns a function', ({ respond }) => respond(200, () => 1), 'a body with a function'],
  ['returns NaN', ({ respond }) => respond(200, [Number.NaN]), 'a body with NaN at /0'],
  ['returns a map', ({ respond }) => respond(200, new Map()), 'a body with a Map'],
  ['returns an error response', () => Response.error(), 'it returned the status 0'],
])('a handler that %s gets 500 with a sentence, and the mock goes on', async ([, handler, message]) => {
  mock.answer('getCart', handler);
  const response = await mock.fetch('/carts/7');
  expect(response.status).toBe(500);
  expect(response.headers.get('cloche-undeclared')).toBe('handler-failed');
  const { detail } = (await response.json()) as { readonly detail: string };
  expect(detail).toContain(message);
  expect((await mock.fetch('/note')).status).toBe(200);
});

test('the log has the stack of the error', async () => {
  mock.answer('getCart', () => {
    throw new Error('no stock');
  });
  await mock.fetch('/carts/7');
  const [logged] = mock.requests.list();
  expect(logged).toMatchObject({ operation: 'getCart', handler: 'failed', condition: 'handler-failed' });
  expect(logged?.stack).toContain('run-handler.test.ts');
});

test('a handler that hangs gets 500 after 30 seconds', async () => {
  vi.useFakeTimers();
  try {
    mock.answer('getCart', () => new Promise(() => undefined));
    const answered = mock.fetch('/carts/7');
    await vi.advanceTimersByTimeAsync(0);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await (await answered).text()).toContain('it did not answer within 30 seconds');
  } finally {
    vi.useRealTimers();
  }
});

test.for<readonly [what: string, handler: Handler, status: number, reason: string, clause: string]>([
  [
    'an undeclared status',
    ({ respond }) => respond(418),
    418,
    'the status 418 is not declared',
    'responses: [200, 404]',
  ],
  [
    'a wrong value',
    ({ respond }) => respond(200, { id: 1, total: 'x' }),
    200,
    '/total must be',
    'type: number',
  ],
  [
    'a missing member',
    ({ respond }) => respond(200, { id: 1 }),
    200,
    '/total is required',
    'required: [id, total]',
  ],
  ['no content', ({ respond }) => respond(200), 200, 'the content is missing', 'content: [application/json]'],
  [
    'undeclared content',
    ({ respond }) => respond(404, { why: 1 }),
    404,
    'declares no content',
    'content: []',
  ],
  [
    'a wrong header',
    ({ respond }) => respond(200, { id: 1, total: 1 }, { 'X-Age': 'old' }),
    200,
    'X-Age',
    'type',
  ],
  [
    'another media type',
    () => new Response('<a/>', { headers: { 'content-type': 'application/xml' } }),
    200,
    'the media type application/xml is not declared',
    'content: [application/json]',
  ],
  [
    'content that is not JSON',
    () => new Response('{', { headers: { 'content-type': 'application/json' } }),
    200,
    'the content is not valid',
    'content: [application/json]',
  ],
])('a response with %s is sent, and marked in the log', async ([, handler, status, reason, clause]) => {
  mock.answer('getCart', handler);
  const response = await mock.fetch('/carts/7');
  expect([response.status, response.headers.get('cloche-undeclared')]).toEqual([status, 'handler']);
  const [logged] = mock.requests.list();
  expect(logged).toMatchObject({ verdict: 'accepted', handler: 'answered', undeclared: 'handler' });
  expect(logged?.problems[0]?.reason).toContain(reason);
  expect(logged?.problems[0]?.clause?.text).toContain(clause);
});

test.for<readonly [handlers: unknown, message: string]>([
  [
    { getCarts: () => ({}) },
    'Failed to use the handler of "getCarts": the document has no operation with this id. Perhaps "getCart" was meant.',
  ],
  [{ getCart: 7 }, 'it is no function and no response, but a number'],
  [{ getCart: { code: 200 } }, 'a response has no "code"'],
  [{ getCart: {} }, 'it is empty'],
  [[], 'it takes an object of functions and responses'],
])('createMock() refuses the handlers %j', async ([handlers, message]) => {
  await expect(createMock(document, { handlers: handlers as Handlers })).rejects.toThrow(message);
});
