import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { toConform } from './to-conform.ts';

const name = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const content = { 'application/json': { schema: name } };
const document = contractOf({
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'readPet', responses: { 200: { description: 'A pet', content } } },
    },
    '/pets': {
      post: {
        operationId: 'createPet',
        requestBody: { required: true, content },
        responses: { 201: { description: 'The pet', content }, 400: { description: 'Invalid' } },
      },
    },
  },
});
const request = { url: '/pets/7' };
const post = { url: '/pets', method: 'POST', headers: { 'content-type': 'application/json' } };

test('accepts a response that conforms, and leaves its body to the test', async () => {
  const response = Response.json({ name: 'Rex' });
  expect(await toConform(response, { document, request })).toMatchObject({ pass: true });
  expect(await response.json()).toEqual({ name: 'Rex' });
});

test('rejects a response that breaks its schema, with the clause and its place in the document', async () => {
  const { pass, message } = await toConform(Response.json({ nam: 'Rex' }), { document, request });
  expect(pass).toBe(false);
  expect(message()).toContain('The response to GET /pets/7 does not conform to');
  expect(message()).toContain('/schema/required — required: /name is required, but missing');
});

test('judges by the request: a body that breaks its schema must be refused', async () => {
  const accepted = Response.json({ name: 'Rex' }, { status: 201 });
  const wrong = { ...post, body: '{}' };
  const { pass, message } = await toConform(accepted, { document, request: wrong });
  expect([pass, message()]).toEqual([
    false,
    expect.stringContaining('A body that breaks its schema was accepted'),
  ]);
  const right = new Request('http://localhost/pets', { ...post, body: '{"name":"Rex"}' });
  expect(await toConform(accepted, { document, request: right })).toMatchObject({ pass: true });
  expect(await right.text()).toBe('{"name":"Rex"}');
});

test('removes a prefix from the path', async () => {
  const given = { document, request: { url: 'http://localhost/api/pets/7' }, prefix: '/api' };
  expect(await toConform(Response.json({ name: 'Rex' }), given)).toMatchObject({ pass: true });
});

test.each<[string, unknown, object, string]>([
  ['a value that is no Response', { status: 200 }, { request }, 'it is no Response of fetch'],
  ['a response without a URL', new Response(), {}, 'it has no URL'],
  [
    'a path that the document lacks',
    new Response(),
    { request: { url: '/tea' } },
    'its path is not in the document',
  ],
])('throws for %s', async (_name, received, options, message) => {
  await expect(toConform(received, { document, ...options })).rejects.toThrow(message);
});

test('throws for a response whose body was read', async () => {
  const response = Response.json({ name: 'Rex' });
  await response.text();
  await expect(toConform(response, { document, request })).rejects.toThrow('its body was read already');
});
