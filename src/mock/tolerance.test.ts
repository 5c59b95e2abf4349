import { expect, test } from 'vitest';
import { createMock } from './create-mock.ts';

const schema = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const content = { 'application/json': { schema } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  security: [{ bearer: [] }],
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'All.',
            content: { 'application/json': { schema: { type: 'array', items: schema } } },
          },
        },
      },
      post: {
        operationId: 'createOrder',
        requestBody: { required: true, content },
        responses: { 201: { description: 'New.', content } },
      },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getOrder', responses: { 200: { description: 'One.', content } } },
    },
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
};

const authorization = 'Bearer token';
const post = (body: string, type = 'application/json'): RequestInit => ({
  method: 'POST',
  body,
  headers: { authorization, 'content-type': type },
});

test('warn accepts invalid requests, and the log names their problems', async () => {
  await using mock = await createMock(document, { validate: 'warn' });
  expect((await mock.fetch('/orders', post('{"id":1}'))).status).toBe(201);
  expect((await mock.fetch('/orders?limit=x', { headers: { authorization } })).status).toBe(200);
  expect((await mock.state.get('/orders', '1'))?.value).toMatchObject({ id: 1 });
  const [create, list] = mock.requests.list();
  expect(list).toMatchObject({
    verdict: 'accepted',
    message: expect.stringContaining('although the query parameter "limit"'),
  });
  expect(create?.problems).toMatchObject([{ pointer: '/name', clause: { text: 'required: [name]' } }]);
});

test('warn says nothing of valid requests', async () => {
  await using mock = await createMock(document, { validate: 'warn' });
  await mock.fetch('/orders', post('{"id":1,"name":"Tea"}'));
  expect(mock.requests.list()[0]).toMatchObject({ message: undefined, problems: [] });
});

test('off accepts invalid requests without a word', async () => {
  await using mock = await createMock(document, { validate: 'off' });
  expect((await mock.fetch('/orders', post('{"id":1}'))).status).toBe(201);
  expect(mock.requests.list()[0]).toMatchObject({ message: undefined, problems: [] });
});

test.for(['warn', 'off'] as const)(
  '%s still checks credentials and finds what is there',
  async (validate) => {
    await using mock = await createMock(document, { validate });
    expect((await mock.fetch('/orders')).status).toBe(401);
    expect((await mock.fetch('/orders/x', { headers: { authorization } })).status).toBe(404);
  },
);

test.for([
  ['[]', 'application/json'],
  ['null', 'application/json'],
  ['"text"', 'application/json'],
  ['{', 'application/json'],
  ['a=1', 'application/x-www-form-urlencoded'],
  ['', 'application/json'],
] as const)(
  'the body %s of %s is accepted or refused, and never an error of the mock',
  async ([body, type]) => {
    await using mock = await createMock(document, { validate: 'warn' });
    const { status } = await mock.fetch('/orders', post(body, type));
    expect(status).toBeLessThan(500);
  },
);

test('any other word is refused', async () => {
  // @ts-expect-error -- callers in JavaScript have no compiler
  await expect(createMock(document, { validate: 'no' })).rejects.toThrow('it takes "on", "warn" or "off"');
});
