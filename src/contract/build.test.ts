import { expect, test } from 'vitest';
import type { OpenApiDocument } from '../document/document.ts';
import type { JsonObject } from '../json/value.ts';
import { buildContract } from './build.ts';
import type { Contract } from './contract.ts';
import { compileSchemaAt } from './document-schemas.ts';
import { loadContract } from './load.ts';
import { findDeclaredResponse } from './responses.ts';
import { createRouter } from './router.ts';

function build(root: JsonObject, version: '3.0' | '3.1' = '3.1'): Contract {
  const openapi = version === '3.1' ? '3.1.0' : '3.0.3';
  return buildContract({
    source: 'orders.yaml',
    version,
    openapi,
    root: { openapi, ...root },
    locate: () => undefined,
  });
}

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const order: JsonObject = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

test('the document that ships has one create, keyed by the id that the client sends', async () => {
  const { title, version, operations } = await loadContract(undefined, { followReferences: false });
  expect([title, version]).toEqual(['Plant Store', '1.0.0']);
  expect(operations).toMatchObject([
    {
      id: 'createPlant',
      method: 'POST',
      pointer: '/paths/~1plants/post',
      security: [[{ kind: 'bearer', name: 'bearer' }]],
      kind: { kind: 'create', collection: '/plants', key: { kind: 'client', property: 'id' } },
    },
  ]);
});

test('a key that only the answer has is made by the service', () => {
  const [operation] = build({
    paths: {
      '/orders': {
        post: {
          requestBody: json({ type: 'object', properties: { item: { type: 'string' } } }),
          responses: { '201': { description: 'made', ...json(order) } },
        },
      },
    },
  }).operations;
  expect(operation).toMatchObject({
    id: 'POST /orders',
    kind: { kind: 'create', key: { kind: 'server', property: 'id' } },
  });
});

test('the parameter of the item path names the key', () => {
  const item = {
    type: 'object',
    required: ['code', 'id'],
    properties: { code: { type: 'string' }, id: { type: 'string' } },
  };
  const [operation] = build({
    paths: {
      '/orders': {
        post: { requestBody: json(item), responses: { '201': { description: 'made', ...json(item) } } },
      },
      '/orders/{code}': { get: { responses: { '200': { description: 'one' } } } },
    },
  }).operations;
  expect(operation?.kind).toMatchObject({ kind: 'create', key: { kind: 'client', property: 'code' } });
});

test('references lead to parameters, bodies, responses and headers', () => {
  const [operation] = build({
    paths: {
      '/orders': {
        parameters: [{ $ref: '#/components/parameters/Trace' }],
        post: {
          parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
          requestBody: { $ref: '#/components/requestBodies/Order' },
          responses: { '2XX': { $ref: '#/components/responses/Made' }, default: { description: 'no' } },
        },
      },
    },
    components: {
      parameters: { Trace: { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } } },
      requestBodies: { Order: { required: true, ...json({ $ref: '#/components/schemas/Order' }) } },
      responses: {
        Made: { description: 'made', headers: { Location: { required: true, schema: { type: 'string' } } } },
      },
      schemas: { Order: order },
    },
  }).operations;
  expect(operation?.parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
    ['X-Trace', 'header', true],
    ['dry', 'query', false],
  ]);
  expect(operation?.requestBody?.required).toBe(true);
  expect(operation?.responses.map(({ status }) => status)).toEqual([
    { kind: 'range', hundreds: 2 },
    { kind: 'default' },
  ]);
  expect(operation?.responses[0]?.headers).toMatchObject([{ name: 'Location', required: true }]);
  const validate = operation?.requestBody?.media[0]?.schema?.validator({
    formats: 'assert',
    integers: 'by-value',
  });
  expect(validate?.({ id: 1 }, false)).toEqual([]);
  expect(validate?.({}, false)).toHaveLength(1);
});

test('security is that of the operation, else that of the document, and {} lets anybody in', () => {
  const { operations } = build({
    security: [{ token: [] }],
    paths: {
      '/a': {
        get: { responses: {} },
        post: { security: [], responses: {} },
        put: { security: [{}, { key: [], token: [] }], responses: {} },
      },
    },
    components: {
      securitySchemes: {
        token: { type: 'oauth2', flows: {} },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      },
    },
  });
  const bearer = { kind: 'bearer', name: 'token' };
  const key = { kind: 'api-key', name: 'key', in: 'header', parameter: 'X-Key' };
  const byMethod = Object.fromEntries(operations.map(({ method, security }) => [method, security]));
  expect(byMethod).toEqual({ GET: [[bearer]], POST: [], PUT: [[], [key, bearer]] });
});

test('a requirement of OAuth 2 has its scopes, and one of an HTTP scheme has none', () => {
  const [operation] = build({
    paths: {
      '/a': { get: { security: [{ token: ['read', 'write'] }, { plain: ['admin'] }], responses: {} } },
    },
    components: {
      securitySchemes: {
        token: { type: 'oauth2', flows: {} },
        plain: { type: 'http', scheme: 'bearer' },
      },
    },
  }).operations;
  expect(operation?.security).toEqual([
    [{ kind: 'bearer', name: 'token', scopes: ['read', 'write'] }],
    [{ kind: 'bearer', name: 'plain' }],
  ]);
});

test('two schemes that want the one Authorization field are no way in, and not judged where there is no other', () => {
  const both = { basic: [], token: [] };
  const { operations } = build({
    paths: {
      '/a': {
        get: { security: [both, { token: [], key: [] }], responses: {} },
        put: { security: [{ ...both, key: [] }], responses: {} },
      },
    },
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        token: { type: 'oauth2', flows: {} },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      },
    },
  });
  expect(
    operations.map(({ security }) => security.map((schemes) => schemes.map(({ kind }) => kind))),
  ).toEqual([[['bearer', 'api-key']], [['unjudged', 'unjudged', 'api-key']]]);
});

test('a parameter that carries a key of the security is no other parameter', () => {
  const [operation] = build({
    security: [{ key: [] }],
    paths: {
      '/a': {
        get: {
          parameters: [
            { name: 'x-key', in: 'header', schema: {} },
            { name: 'x-key', in: 'query', schema: {} },
          ],
          responses: {},
        },
      },
    },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  }).operations;
  expect(operation?.parameters.map((parameter) => parameter.in)).toEqual(['query']);
});

test('an exact status comes before its range, and the range before default', () => {
  const [operation] = build({
    paths: {
      '/a': {
        get: {
          responses: {
            default: { description: 'd' },
            '4XX': { description: 'r' },
            '404': { description: 'e' },
          },
        },
      },
    },
  }).operations;
  const describe = (status: number): string | undefined =>
    findDeclaredResponse(operation?.responses ?? [], status)?.description;
  expect([describe(404), describe(409), describe(500)]).toEqual(['e', 'r', 'd']);
});

test('a concrete path comes before a templated one', () => {
  const answer = { get: { responses: {} } };
  const route = createRouter(
    build({ paths: { '/orders/{id}': answer, '/orders/latest': answer, '/files/{name}.{ending}': answer } }),
  );
  expect(route('/orders/latest')?.operations.get('GET')?.id).toBe('GET /orders/latest');
  expect(route('/orders/a%20b')?.parameters).toEqual({ id: 'a%20b' });
  expect(route('/files/report.pdf')?.parameters).toEqual({ name: 'report', ending: 'pdf' });
  expect(route('/orders/')).toBeUndefined();
  expect(route('/nowhere')).toBeUndefined();
});

test('a concrete path is found where a request writes it percent-encoded', () => {
  const answer = { get: { responses: {} } };
  const route = createRouter(build({ paths: { '/entrées': answer, '/a/b': answer, '/a b/{id}': answer } }));
  expect(route('/entr%C3%A9es')?.operations.get('GET')?.id).toBe('GET /entrées');
  expect(route('/a%20b/1')?.operations.get('GET')?.id).toBe('GET /a b/{id}');
  expect(route('/a%2Fb')).toBeUndefined();
});

const reading = { formats: 'assert', integers: 'by-value' } as const;

function documentOf(version: '3.0' | '3.1', root: JsonObject): OpenApiDocument {
  return { source: 'orders.yaml', version, openapi: `${version}.0`, root, locate: () => undefined };
}

const schemas = {
  Order: { properties: { item: { $ref: '#/schemas/Item' }, never: false } },
  Item: { required: ['name'] },
};
const root: JsonObject = {
  schemas,
  a: { $ref: '#/schemas/Order' },
  b: { $ref: '#/a' },
  c: { $ref: '#/schemas/Order', required: ['item'] },
};

test('compiles one schema once for each direction, whatever refers to it', () => {
  const document = documentOf('3.1', root);
  const order = compileSchemaAt(document, '/schemas/Order', 'request');
  expect(compileSchemaAt(document, '/b', 'request')).toBe(order);
  expect(compileSchemaAt(document, '/b', 'response')).not.toBe(order);
  expect(compileSchemaAt(document, '/c', 'request')).not.toBe(order);
  expect(compileSchemaAt(documentOf('3.1', { ...root }), '/b', 'request')).not.toBe(order);
});

test('ignores what stands beside a reference in 3.0 and counts it in 3.1', () => {
  const problems = (version: '3.0' | '3.1') =>
    compileSchemaAt(documentOf(version, { ...root }), '/c', 'request').validator(reading)({}, false).length;
  expect([problems('3.0'), problems('3.1')]).toEqual([0, 1]);
});

test('says where in the document a problem stands', () => {
  const order = compileSchemaAt(documentOf('3.1', root), '/a', 'request');
  const placesOf = (value: JsonObject) =>
    order
      .validator(reading)(value, false)
      .map(({ schemaPointer }) => order.placeOf(schemaPointer));
  expect(placesOf({ item: {} })).toEqual(['/schemas/Item/required']);
  expect(placesOf({ never: 1 })).toEqual(['/schemas/Order/properties/never']);
});

test('says at which line a schema stands that cannot be compiled', () => {
  const bad = { schemas: { A: { minLength: 'long' } } };
  const place = { file: 'orders.yaml', line: 7, column: 5 };
  const document = { ...documentOf('3.1', bad), locate: () => place };
  const schema = compileSchemaAt(document, '/schemas/A', 'request');
  expect(() => schema.validator(reading)).toThrow('orders.yaml:7:5: the schema at /schemas/A cannot be used');
});
