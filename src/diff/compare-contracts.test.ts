import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { json, response, text } from '../../fixtures/document-parts.ts';
import { loadContract } from '../contract/load.ts';
import type { JsonObject } from '../json/value.ts';
import { compareContracts } from './compare-contracts.ts';

const object = (properties: object, more = {}): object => ({ type: 'object', properties, ...more });

/** Returns the changes between two documents as lines: whom they break, or their level, and the sentence. */
function diff(old: object, now: object, learned = {}): readonly string[] {
  // `as`: test documents are JSON.
  const [one, other] = [old, now].map((root) => contractOf(root as { paths: JsonObject }));
  if (one === undefined || other === undefined) return [];
  return compareContracts({ old: one, new: other }, learned).map(
    ({ level, breaks, message }) => `${breaks.join(' and ') || level}: ${message}`,
  );
}

/** A document with one operation. */
const post = (operation: object, others: object = {}): object => ({
  paths: { '/pets': { post: { responses: { 200: response() }, ...operation } } },
  ...others,
});
const sends = (schema: unknown): object => post({ requestBody: { required: true, ...Object(json(schema)) } });
const answers = (schema: unknown, more = {}): object =>
  post({ responses: { 200: response(schema), ...more } });
const query = (...parameters: object[]): object =>
  post({ parameters: parameters.map((each) => ({ in: 'query', name: 'q', schema: text, ...each })) });
const pet = object({ name: text }, { required: ['name'] });
const looser = object({ name: text });
const closed = { additionalProperties: false };

test.each([
  // Requests may widen, and responses may narrow, without a break of clients.
  [sends(looser), sends(pet), 'clients: request body: `name` is required now'],
  [sends(pet), sends(looser), 'services: request body: `name` is not required any more'],
  [answers(looser), answers(pet), 'services: response body: `name` is required now'],
  [answers(pet), answers(looser), 'clients: response body: `name` is not required any more'],
  [sends({ enum: ['a'] }), sends({ enum: ['a', 'b'] }), 'services: the request body can be "b" now'],
  [answers({ enum: ['a'] }), answers({ enum: ['a', 'b'] }), 'clients: the response body can be "b" now'],
  [
    answers({ ...text, maxLength: 5 }),
    answers({ ...text, maxLength: 4 }),
    'services: the response body must have at most 4 characters now, before 5',
  ],
  [
    sends(pet),
    sends(object({ name: text, tag: text }, { required: ['name'] })),
    'note: request body: `tag` is new',
  ],
  [
    answers(object({}, closed)),
    answers(object({ name: text }, closed)),
    'clients: response body: `name` is new',
  ],
  [
    sends(object({ name: text }, closed)),
    sends(object({}, closed)),
    'clients: request body: `name` is not allowed any more',
  ],
  [
    answers(object({ name: text })),
    answers(object({})),
    'warning: response body: `name` is not declared any more',
  ],
  [
    answers({ type: 'array', items: looser }),
    answers({ type: 'array', items: pet }),
    'services: response body: `[].name` is required now',
  ],
  [
    sends(text),
    sends({ type: 'integer' }),
    'clients and services: the request body is an integer now, not a string',
  ],
  [
    sends({ ...text, pattern: '^a' }),
    sends({ ...text, pattern: '^b' }),
    'warning: the request body has pattern "^b" now, not "^a"',
  ],
  [
    sends(object({ id: text })),
    sends(object({ id: { ...text, readOnly: true } })),
    'warning: request body: `id` is read-only now',
  ],
  [
    answers(object({ secret: text }, { required: ['secret'] })),
    answers(object({ secret: { ...text, writeOnly: true } }, { required: ['secret'] })),
    'clients: response body: `secret` is not required any more',
    'warning: response body: `secret` is write-only now',
  ],
  // Operations, and names of path parameters.
  [{ paths: {} }, post({}), 'services: the operation is new'],
  [post({}), { paths: {} }, 'clients: the operation is gone'],
  [post({}), post({ deprecated: true }), 'note: the operation is deprecated now'],
  [post({ operationId: 'a' }), post({ operationId: 'b' }), 'note: the operationId is b now, not a'],
  [
    {
      paths: {
        '/a/{id}': {
          get: { parameters: [{ in: 'path', name: 'id', required: true, schema: text }], responses: {} },
        },
      },
    },
    {
      paths: {
        '/a/{key}': {
          get: {
            parameters: [{ in: 'path', name: 'key', required: true, schema: { ...text, minLength: 2 } }],
            responses: {},
          },
        },
      },
    },
    'clients: the path parameter `key` must have at least 2 characters now',
  ],
  // Parameters.
  [post({}), query({}), 'note: the query parameter `q` is new'],
  [post({}), query({ required: true }), 'clients: the query parameter `q` is new and required'],
  [query({}), post({}), 'warning: the query parameter `q` is not declared any more'],
  [query({}), query({ required: true }), 'clients: the query parameter `q` is required now'],
  [query({ required: true }), query({}), 'services: the query parameter `q` is not required any more'],
  [
    query({ schema: { enum: ['a', 'b'] } }),
    query({ schema: { enum: ['a'] } }),
    'clients: the query parameter `q` cannot be "b" any more',
  ],
  [
    query({}),
    query({ style: 'pipeDelimited' }),
    'clients and services: the query parameter `q` is written as style pipeDelimited now, not style form, exploded',
  ],
  // Bodies and media types.
  [post({}), post({ requestBody: json(text) }), 'services: the request body is new'],
  [post({}), sends(text), 'clients: the request body is new and required'],
  [post({ requestBody: json(text) }), post({}), 'clients: the request body is not declared any more'],
  [post({ requestBody: json(text) }), sends(text), 'clients: the request body is required now'],
  [
    post({ requestBody: { content: { 'text/plain': {} } } }),
    post({ requestBody: { content: { 'text/csv': {} } } }),
    'clients: the request body cannot be text/plain any more',
    'services: the request body can be text/csv now',
  ],
  [
    post({ requestBody: { content: { 'text/plain': {} } } }),
    post({ requestBody: { content: { 'text/*': {} } } }),
    'services: the request body can be text/* now',
  ],
  [
    post({ responses: { 200: { description: '', content: { 'text/plain': {} } } } }),
    post({ responses: { 200: { description: '', content: { 'text/csv': {} } } } }),
    'clients and services: the response body cannot be text/plain any more',
    'note: the response body can be text/csv now',
  ],
  // Statuses and header fields.
  [answers(text), answers(text, { 201: response() }), 'clients: the response 201 is new'],
  [answers(text), answers(text, { 404: response() }), 'note: the response 404 is new'],
  [answers(text, { 404: response() }), answers(text), 'services: the response 404 is not declared any more'],
  [answers(text, { default: response() }), answers(text, { default: response(), 404: response() })],
  [
    answers(text, { default: response(text) }),
    answers(text, { default: response(text), 404: response({ type: 'integer' }) }),
    'clients and services: the response body is an integer now, not a string',
  ],
  [answers(text, { 404: response() }), answers(text, { '4XX': response() }), 'note: the response 4XX is new'],
  [
    post({ responses: { 200: { description: '', headers: { ETag: { schema: text, required: true } } } } }),
    post({
      responses: { 200: { description: '', headers: { 'X-Rate': { schema: text, required: true } } } },
    }),
    'clients: the response header `ETag` is not declared any more',
    'services: the response header `X-Rate` is new and required',
  ],
  // Servers.
  [
    post({}, { servers: [{ url: 'https://a/v1' }] }),
    post({}, { servers: [{ url: 'https://b/v2' }] }),
    'clients and services: the base path is /v2 now, not /v1',
  ],
  [post({}, { servers: [{ url: 'https://a' }] }), post({}, { servers: [{ url: 'https://b' }] })],
  // Requests of the service.
  [
    post({}, { webhooks: { sold: { post: { requestBody: json(pet), responses: {} } } } }),
    post({}, { webhooks: { sold: { post: { requestBody: json(looser), responses: {} } } } }),
    'clients: body of the webhook sold: `name` is not required any more',
  ],
] as const)('compares %j with %j', (old, now, ...lines) => {
  expect(diff(old, now)).toEqual(lines);
});

const schemes = {
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      token: { type: 'http', scheme: 'bearer' },
      login: { type: 'oauth2', flows: {} },
    },
  },
};
const secured = (...security: object[]): object => post({ security }, schemes);

test.each([
  [secured(), secured({ key: [] }), 'clients: not accepted any more: no credentials; accepted: key'],
  [secured({ key: [] }), secured(), 'services: accepted now: no credentials; before: key'],
  [
    secured({ key: [] }, { token: [] }),
    secured({ token: [] }),
    'clients: not accepted any more: key; accepted: token',
  ],
  [secured({ key: [] }), secured({ key: [] }, { token: [] }), 'services: accepted now: token; before: key'],
  [
    secured({ key: [] }),
    secured({ key: [], token: [] }),
    'clients: not accepted any more: key; accepted: key with token',
  ],
  [
    secured({ login: ['read'] }),
    secured({ login: ['read', 'write'] }),
    'clients: not accepted any more: login (read); accepted: login (read, write)',
  ],
  [
    secured({ login: ['read', 'write'] }),
    secured({ login: ['read'] }),
    'services: accepted now: login (read); before: login (read, write)',
  ],
  [
    secured({ key: [] }),
    post(
      { security: [{ secret: [] }] },
      { components: { securitySchemes: { secret: schemes.components.securitySchemes.key } } },
    ),
  ],
] as const)('compares the credentials of %j and %j', (old, now, ...lines) => {
  expect(diff(old, now)).toEqual(lines);
});

test('a change of a shared component is one change, with all its operations', () => {
  const document = (schema: unknown): { paths: JsonObject } => {
    const responses = { 200: response({ $ref: '#/components/schemas/Pet' }) };
    const list = { 200: response({ type: 'array', items: { $ref: '#/components/schemas/Pet' } }) };
    // `as`: test documents are JSON.
    return {
      paths: { '/pets': { get: { responses: list }, post: { responses } } },
      components: { schemas: { Pet: schema } },
    } as unknown as { paths: JsonObject };
  };
  const [old, now] = [contractOf(document(pet)), contractOf(document(looser))];
  expect(compareContracts({ old, new: now })).toMatchObject([
    {
      message: 'response body: `name` is not required any more',
      operations: ['GET /pets', 'POST /pets'],
      breaks: ['clients'],
    },
  ]);
});

/** A document whose response is the component `Pet`. */
const pets = (schemas: object, version = '3.1.0'): object => ({
  ...answers({ $ref: '#/components/schemas/Pet' }),
  openapi: version,
  components: { schemas },
});
const animal = (more: object): object => object({ kind: text, ...more }, { required: ['kind'] });
const choice = (...names: string[]): object => ({
  oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
  discriminator: { propertyName: 'kind' },
});
const animals = { Cat: animal({}), Dog: animal({}) };

test.each([
  // A schema that contains itself.
  [
    pets({ Pet: object({ mother: { $ref: '#/components/schemas/Pet' }, name: text }) }),
    pets({ Pet: object({ mother: { $ref: '#/components/schemas/Pet' }, name: { type: 'integer' } }) }),
    'clients and services: response body: `name` is an integer now, not a string',
  ],
  // Alternatives with a discriminator, in another order, too.
  [
    pets({ Pet: choice('Cat'), ...animals }),
    pets({ Pet: choice('Dog', 'Cat'), ...animals }),
    'clients: the response body can be `Dog` now',
  ],
  [
    pets({ Pet: choice('Cat', 'Dog'), ...animals }),
    pets({ Pet: choice('Dog'), ...animals }),
    'services: the response body cannot be `Cat` any more',
  ],
  [
    pets({ Pet: choice('Cat', 'Dog'), ...animals }),
    pets({ Pet: choice('Cat', 'Dog'), ...animals, Dog: animal({ age: { type: 'integer' } }) }),
    'note: response body: `age` is new',
  ],
  [
    pets({ Pet: { $ref: '#/components/schemas/Cat' }, ...animals }),
    pets({ Pet: { anyOf: [{ $ref: '#/components/schemas/Cat' }, { type: 'null' }] }, ...animals }),
    'clients: the response body can be null now',
  ],
  // A component that another one extends.
  [
    pets({ Pet: { allOf: [{ $ref: '#/components/schemas/Cat' }, object({ age: text })] }, ...animals }),
    pets({ Pet: animal({ age: text }) }),
  ],
] as const)('compares the components of %j and %j', (old, now, ...lines) => {
  expect(diff(old, now)).toEqual(lines);
});

const creates = (responses: object): object => ({
  paths: {
    '/pets': {
      post: {
        operationId: 'createPet',
        requestBody: json(object({ id: text }, { required: ['id'] })),
        responses: { 201: response(object({ id: text })), 400: response(), ...responses },
      },
    },
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        responses: { 200: response(object({ id: text })) },
      },
    },
  },
});

test('behaviour that the document specifies now breaks those who observed another one', () => {
  const [old, now] = [creates({}), creates({ 409: response() })];
  expect(diff(old, now)).toEqual(['note: the response 409 is new']);
  const lines = diff(old, now, { operations: { createPet: { 'duplicate-key': 'refuse' } } });
  expect(lines).toEqual([
    expect.stringMatching(
      /^clients and services: What happens when the id exists already\? 409 .* \(duplicate-key\)$/u,
    ),
    'note: the response 409 is new',
  ]);
  expect(diff(old, now, { 'duplicate-key': 'conflict' })).toEqual(['note: the response 409 is new']);
  expect(diff(now, now, { 'duplicate-key': 'refuse' })).toEqual([]);
});

const folders = ['spec', 'fixtures/documents', 'fixtures/documents/2.0'];
const documents = folders.flatMap((folder) => {
  const path = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
  const names = readdirSync(path).filter(
    (name) => /\.(?:ya?ml|openapi\.json)$/u.test(name) && !name.includes('policy'),
  );
  return names.map((name) => path + name);
});

test.each(documents)('a document has no changes from itself: %s', async (file) => {
  expect(documents.length).toBeGreaterThan(20);
  const [old, now] = [await loadContract(file), await loadContract(file)];
  expect(compareContracts({ old, new: now })).toEqual([]);
});
