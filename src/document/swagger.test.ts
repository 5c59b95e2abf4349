import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { buildContract } from '../contract/build.ts';
import { readDocument } from './read-document.ts';
import { readJsonDocument } from './read-json-document.ts';
import { checkStructure } from './structure.ts';

const file = fileURLToPath(new URL('../../fixtures/documents/2.0/orchard.yaml', import.meta.url));
const info = { title: 'Orders', version: '1' };

test('reads a document of 2.0 as one of 3.0, without a slip', async () => {
  const { version, openapi, warnings, root } = await readDocument(file, { isStrict: true });
  expect([version, openapi, warnings]).toEqual(['3.0', '2.0', []]);
  expect(root).toMatchObject({
    openapi: '3.0.4',
    servers: [{ url: 'https://orchard.example.com/v1' }, { url: 'http://orchard.example.com/v1' }],
    components: {
      securitySchemes: {
        key: { type: 'apiKey' },
        basic: { type: 'http', scheme: 'basic' },
        oauth: { type: 'oauth2', flows: { authorizationCode: { scopes: { read: 'to read' } } } },
      },
      parameters: { Limit: { name: 'limit', schema: { type: 'integer', maximum: 50, default: 10 } } },
      schemas: { NewTree: { properties: { planted: { nullable: true } } } },
    },
  });
  expect(root['swagger']).toBeUndefined();
  expect(root['definitions']).toBeUndefined();
});

test('takes bodies, forms, files and lists for what they are in 3.0', async () => {
  const { root } = await readDocument(file);
  const tree = { $ref: '#/components/schemas/Tree' };
  expect(root['paths']).toMatchObject({
    '/trees': {
      get: {
        parameters: [
          { $ref: '#/components/parameters/Limit' },
          {
            name: 'kind',
            style: 'form',
            explode: true,
            schema: { type: 'array', items: { type: 'string' } },
          },
          { name: 'year', style: 'pipeDelimited', explode: false },
        ],
        responses: {
          200: {
            headers: { 'X-Total': { description: 'how many', schema: { type: 'integer' } } },
            content: { 'application/json': { schema: { type: 'array', items: tree } } },
          },
        },
      },
      post: {
        parameters: [],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewTree' } } },
        },
        responses: {
          201: { content: { 'application/json': { schema: tree, example: { id: 1, name: 'Apple' } } } },
          400: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        },
      },
    },
    '/trees/{id}/picture': {
      put: {
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                required: ['picture'],
                properties: { picture: { type: 'string', format: 'binary' }, title: { maxLength: 20 } },
              },
            },
          },
        },
      },
      get: { responses: { 200: { content: { 'image/png': { schema: { format: 'binary' } } } } } },
    },
  });
});

test('knows the lines of what it made, and what it is called in the text', async () => {
  const document = await readDocument(file);
  const lineOf = (pointer: string): number | undefined => document.locate(pointer)?.line;
  const post = '/paths/~1trees/post';
  expect(lineOf('/components/schemas/Tree')).toBe(82);
  expect(lineOf(`${post}/responses/201/content/application~1json/schema`)).toBe(48);
  expect(lineOf(`${post}/responses/400/content/application~1json/schema`)).toBe(28);
  expect(lineOf(`${post}/requestBody/content/application~1json/schema`)).toBe(24);
  expect(
    lineOf(
      '/paths/~1trees~1{id}~1picture/put/requestBody/content/multipart~1form-data/schema/properties/title',
    ),
  ).toBe(69);
  expect(document.originOf?.('/components/schemas/NewTree/properties/name')).toEqual({
    pointer: '/definitions/NewTree/properties/name',
  });
  expect(document.locateOrigin?.({ pointer: '/definitions/NewTree/properties/name' })?.line).toBe(80);
});

test('is a contract as any other', async () => {
  const { operations } = buildContract(await readDocument(file));
  expect(
    operations.map(({ id, kind, requestBody }) => [
      id,
      kind.kind,
      requestBody?.media.map(({ range }) => range),
    ]),
  ).toEqual([
    ['listTrees', 'list', undefined],
    ['createTree', 'create', ['application/json']],
    ['readTree', 'read', undefined],
    ['deleteTree', 'delete', undefined],
    ['getPicture', 'sample', undefined],
    ['putPicture', expect.any(String), ['multipart/form-data']],
  ]);
});

test('says what is wrong in it at its line', () => {
  const given = {
    swagger: '2.0',
    info,
    paths: {
      '/a': { get: { responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/Gone' } } } } },
    },
  };
  expect(() => readJsonDocument(given, { source: 'a.json', checkStructure })).toThrow(
    /a\.json:14:15: .*the reference "#\/definitions\/Gone" leads to nothing/u,
  );
});

test('reads the methods and media type references of 3.2', () => {
  const ok = { description: 'OK', content: { 'application/json': { schema: { type: 'string' } } } };
  const text = { schema: { type: 'string' } };
  const given = {
    openapi: '3.2.0',
    $self: 'https://example.com/api.yaml',
    info,
    paths: {
      '/a': {
        get: { responses: { 200: { content: { 'text/plain': { $ref: '#/components/mediaTypes/Text' } } } } },
        query: { responses: { 200: ok } },
        additionalOperations: { COPY: { responses: { 200: ok } } },
      },
    },
    components: { mediaTypes: { Text: text } },
    tags: [{ name: 't', kind: 'nav' }],
  };
  const document = readJsonDocument(given, { source: 'a.json', checkStructure, isStrict: true });
  expect([document.version, document.openapi, document.warnings]).toEqual(['3.1', '3.2.0', []]);
  expect(document.root['paths']).toEqual({
    '/a': {
      get: { responses: { 200: { content: { 'text/plain': text } } } },
      query: { responses: { 200: ok } },
      additionalOperations: { COPY: { responses: { 200: ok } } },
    },
  });
});

test.each([
  [{ additionalOperations: { POST: {} } }, /additionalOperations\.POST: is not allowed here/u],
  [
    {
      get: { parameters: [{ name: 'all', in: 'querystring', content: { 'text/a': {} } }] },
      parameters: [{ name: 'q', in: 'query', schema: {} }],
    },
    /describes the whole query string/u,
  ],
  [{ get: { parameters: [{ name: 'all', in: 'querystring', schema: {} }] } }, /must have "content"/u],
])('rejects the path item %j of 3.2', (item, message) => {
  const given = { openapi: '3.2.0', info, paths: { '/a': item } };
  expect(() => readJsonDocument(given, { source: 'a.json', checkStructure, isStrict: true })).toThrow(
    message,
  );
});

test('writes out one Media Type Object for all media types of a response', async () => {
  const produces = ['application/json', 'application/xml', 'text/plain'];
  const { root } = readJsonDocument(
    {
      swagger: '2.0',
      info,
      produces,
      paths: { '/a': { get: { responses: { 200: { description: 'ok', schema: { type: 'string' } } } } } },
    },
    { source: 'api.json' },
  );
  // `as`: the document above has these members.
  const paths = root['paths'] as {
    '/a': { get: { responses: { 200: { content: Record<string, object> } } } };
  };
  const content = Object.entries(paths['/a'].get.responses[200].content);
  expect(content.map(([type]) => type)).toEqual(produces);
  expect(new Set(content.map(([, media]) => media)).size).toBe(1);
});

test('reports an error in a response once, however many media types the response has', () => {
  const { warnings } = readJsonDocument(
    {
      swagger: '2.0',
      info,
      produces: ['application/json', 'application/xml', 'text/plain'],
      paths: {
        '/a': { get: { responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/Gone' } } } } },
        '/b': {
          get: { responses: { 200: { description: 'ok', schema: { type: 'string', minLength: -1 } } } },
        },
      },
      definitions: { Gone: { type: 'wrong' } },
    },
    { source: 'api.json', checkStructure },
  );
  expect(warnings?.map(({ reason }) => reason.replace(/:.*/u, ''))).toEqual([
    'paths./b.get.responses.200.content.application/json.schema.minLength',
    'components.schemas.Gone.type',
  ]);
});

test('refuses a document with more than 200,000 media types in its responses', () => {
  const produces = Array.from({ length: 500 }, (_, index) => `application/vnd.a${index}+json`);
  const responses = { 200: { description: 'ok', schema: {} }, 400: { description: 'no', schema: {} } };
  const paths = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`/p${index}`, { get: { responses } }]),
  );
  expect(() => readJsonDocument({ swagger: '2.0', info, produces, paths }, { source: 'api.json' })).toThrow(
    /^Failed to read "api\.json": .*produces: "produces" and "consumes" declare more than 200000 media types/u,
  );
});
