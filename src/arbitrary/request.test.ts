import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { Operation } from '../contract/contract.ts';
import { decodeUtf8 } from '../http/bytes.ts';
import { headerValue, type HttpRequest } from '../http/message.ts';
import type { JsonObject } from '../json/value.ts';
import { credentialCases, pickAlternative, renderCredentials } from './credentials.ts';
import { type Body, type CredentialCase, plainKey } from './request-case.ts';
import {
  buildRequest,
  encodePathTemplate,
  plainRequest,
  renderBody,
  renderRequest,
  type RequestOverrides,
} from './request.ts';

test.each([
  ['/plants', '/plants'],
  ['/cafés/{é}/menu', '/caf%C3%A9s/{é}/menu'],
  [String.raw`/q"r\s/a b`, '/q%22r%5Cs/a%20b'],
  ['/a%20b/100%', '/a%20b/100%25'],
  ["/v1:batch/it's/(x)", "/v1:batch/it's/(x)"],
])('writes %s as %s', (template, written) => {
  expect(encodePathTemplate(template)).toBe(written);
});

const securitySchemes: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  digest: { type: 'http', scheme: 'digest' },
};

const itemSchema: JsonObject = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { const: 'item' }, size: { const: 'large' } },
};

function operationWith(security: JsonObject[], more: JsonObject = {}): Operation {
  const { operations } = contractOf({
    components: { securitySchemes },
    paths: {
      '/shops/{shop}/items': {
        post: {
          security,
          parameters: [{ name: 'shop', in: 'path', required: true, schema: { const: 'a b' } }],
          requestBody: { required: true, content: { 'application/json': { schema: itemSchema } } },
          responses: { '201': { description: 'created' } },
          ...more,
        },
      },
    },
  });
  const [operation] = operations;
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

function render(
  operation: Operation,
  overrides: RequestOverrides = {},
  token: string | undefined = 'good-token',
): HttpRequest {
  return renderRequest({
    request: buildRequest(operation, overrides),
    keys: ({ slot }) => String(4_242 + slot),
    operation,
    given: { token },
  });
}

function authorization(operation: Operation, credentials: CredentialCase): string | undefined {
  return headerValue(render(operation, { credentials }).headers, 'authorization');
}

test('a plain request has its key, its credentials and its parameters filled in', () => {
  const request = render(operationWith([{ bearer: [] }]));
  expect(request.method).toBe('POST');
  expect(request.target).toBe('/shops/a%20b/items');
  expect(request.headers).toEqual([
    ['Authorization', 'Bearer good-token'],
    ['Content-Type', 'application/json'],
  ]);
  expect(new TextDecoder().decode(request.body)).toBe('{"id":4242,"name":"item"}');
});

test('what a shell is to fill in stands for a number where the key of an item is one', () => {
  const slot = (plain: string): Body => [{ ...plainKey, of: { item: '/shops/{}', plain } }];
  const items = new Map([['/shops/{}', '{shopId}']]);
  const textOf = (body: Body): string => decodeUtf8(renderBody(body, () => '', items)) ?? '';
  expect([textOf(slot('7')), textOf(slot('"abc"'))]).toEqual(['{shopId}', '"{shopId}"']);
});

test('a plain change changes something, as many a service refuses one that does not', () => {
  const properties = { id: { type: 'integer' }, size: { const: 'large' }, name: { const: 'item' } };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const responses = { '200': { description: 'done', content } };
  const { operations } = contractOf({
    paths: {
      '/items': { post: { requestBody: { content }, responses } },
      '/items/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        patch: { requestBody: { content }, responses },
      },
    },
  });
  const bodies = operations.map((operation) => buildRequest(operation).body);
  expect(bodies).toEqual([['{}'], ['{"size":"large"}']]);
});

test('text is sent as UTF-8, and bytes are sent as they are', () => {
  const request = render(operationWith([]), {
    body: ['é', Uint8Array.of(0xff), { slot: 3, class: 'plain', variant: 'itself' }],
  });
  expect([...(request.body ?? [])]).toEqual([0xc3, 0xa9, 0xff, 0x34, 0x32, 0x34, 0x35]);
});

test('a request without a body has neither content nor a media type', () => {
  const request = render(operationWith([]), { body: undefined });
  expect(request.body).toBeUndefined();
  expect(request.headers).toEqual([]);
});

test('no media type is sent where none is wanted', () => {
  expect(
    headerValue(render(operationWith([]), { contentType: undefined }).headers, 'content-type'),
  ).toBeUndefined();
});

test.each<[CredentialCase, string | undefined]>([
  [{ kind: 'good' }, 'Bearer good-token'],
  [{ kind: 'none' }, undefined],
  [{ kind: 'spelled', scheme: 'BEARER', space: '  ' }, 'BEARER  good-token'],
  [{ kind: 'bare' }, 'good-token'],
  [{ kind: 'other-scheme', scheme: 'Token' }, 'Token good-token'],
  [{ kind: 'literal', value: 'Bearer' }, 'Bearer'],
  [{ kind: 'wrong-token' }, 'Bearer not-a-token'],
  [{ kind: 'altered-token', how: 'last-character' }, 'Bearer good-tokeA'],
  [{ kind: 'altered-token', how: 'shortened' }, 'Bearer good-toke'],
  [{ kind: 'altered-token', how: 'lengthened' }, 'Bearer good-tokenn'],
  [{ kind: 'altered-token', how: 'other-case' }, 'Bearer GOOD-TOKEN'],
])('bearer credentials %j are sent as %j', (credentials, expected) => {
  expect(authorization(operationWith([{ bearer: [] }]), credentials)).toBe(expected);
});

test.each([
  {
    title: 'its last character changed in the first bits of Base64',
    token: 'abcw',
    how: 'last-character',
    sent: 'abcA',
  },
  { title: 'what stands before its padding changed', token: 'abcQ==', how: 'last-character', sent: 'abcg==' },
  { title: 'a character before its padding cut off', token: 'abcQ==', how: 'shortened', sent: 'abc==' },
  { title: 'a character before its padding doubled', token: 'abcQ==', how: 'lengthened', sent: 'abcQQ==' },
  {
    title: 'its last digit changed where it has no letters',
    token: '12-34',
    how: 'other-case',
    sent: '12-3A',
  },
  {
    title: 'its last character changed where it is hexadecimal',
    token: 'beef',
    how: 'other-case',
    sent: 'beeg',
  },
  { title: 'its capitals made small', token: 'XYZ', how: 'other-case', sent: 'xyz' },
] as const)('an altered token has $title', ({ token, how, sent }) => {
  const { headers } = render(
    operationWith([{ bearer: [] }]),
    { credentials: { kind: 'altered-token', how } },
    token,
  );
  expect(headerValue(headers, 'authorization')).toBe(`Bearer ${sent}`);
});

test('basic credentials travel in Base64 of their UTF-8', () => {
  const request = render(operationWith([{ basic: [] }]), {}, 'user:pässword');
  expect(headerValue(request.headers, 'authorization')).toBe('Basic dXNlcjpww6Rzc3dvcmQ=');
});

test('an API key goes where its scheme wants it', () => {
  expect(headerValue(render(operationWith([{ header: [] }])).headers, 'x-key')).toBe('good-token');
  expect(render(operationWith([{ query: [] }])).target).toBe('/shops/a%20b/items?key=good-token');
  expect(headerValue(render(operationWith([{ cookie: [] }])).headers, 'cookie')).toBe('session=good-token');
});

test('schemes that are wanted together are all met, and cookies share one field', () => {
  const operation = operationWith([{ header: [], cookie: [] }], {
    parameters: [
      { name: 'shop', in: 'path', required: true, schema: { const: 'a' } },
      { name: 'theme', in: 'cookie', required: true, schema: { const: 'dark' } },
    ],
  });
  const { headers } = render(operation);
  expect(headerValue(headers, 'x-key')).toBe('good-token');
  expect(headers.filter(([name]) => name === 'Cookie')).toEqual([
    ['Cookie', 'session=good-token; theme=dark'],
  ]);
});

test('the first alternative that can be met is used', () => {
  expect(
    authorization(operationWith([{}, { digest: [] }, { basic: [] }, { bearer: [] }]), { kind: 'good' }),
  ).toMatch(/^Basic /u);
});

test('without a token nothing is made of one', () => {
  const { headers } = render(operationWith([{ bearer: [] }]), {}, undefined);
  // A default parameter stands for undefined, so the rendering is asked directly.
  const request = buildRequest(operationWith([{ bearer: [] }]));
  const rendered = renderRequest({
    request,
    keys: () => '1',
    operation: operationWith([{ bearer: [] }]),
    given: { token: undefined },
  });
  expect(headers.length).toBe(2);
  expect(headerValue(rendered.headers, 'authorization')).toBeUndefined();
});

test('two bearer schemes share one field, and of schemes that are not judged nothing is sent', () => {
  const twice = renderCredentials(
    [
      { kind: 'bearer', name: 'a' },
      { kind: 'bearer', name: 'b' },
      { kind: 'unjudged', name: 'c', reason: 'the scheme is digest' },
    ],
    { kind: 'good' },
    { token: 'good-token' },
  );
  expect(twice).toEqual({ headers: [['Authorization', 'Bearer good-token']], query: [] });
});

test.each(['bearer', 'basic', 'header', 'query', 'cookie'])(
  'none of the refused %s probes sends the good credentials',
  (scheme) => {
    const operation = operationWith([{ [scheme]: [] }]);
    const good = JSON.stringify(render(operation));
    const { refused } = credentialCases(pickAlternative(operation) ?? []);
    expect(refused.length).toBeGreaterThan(3);
    expect(
      refused.filter((credentials) => JSON.stringify(render(operation, { credentials })) === good),
    ).toEqual([]);
  },
);

test.each<[JsonObject[], string]>([
  [[{ header: [] }, { bearer: [] }], 'bearer'],
  [[{ header: [], query: [] }, { basic: [] }], 'basic'],
])('no probe of an API key %j meets the other alternative, %s', (security, _other) => {
  const operation = operationWith(security);
  const { refused } = credentialCases(pickAlternative(operation) ?? [], operation.security);
  expect(refused.length).toBeGreaterThan(3);
  expect(refused.map((credentials) => authorization(operation, credentials))).toEqual(
    refused.map(() => undefined),
  );
});

test.each<[JsonObject, string]>([
  [{ header: [], query: [] }, 'Bearer good-token'],
  [{ header: [], bearer: [] }, 'Bearer good-token'],
  [{ header: [], basic: [] }, `Bearer ${btoa('good-token')}`],
])('schemes that are wanted together, %j, are replaced by one Authorization field', (schemes, expected) => {
  const credentials: CredentialCase = { kind: 'other-scheme', scheme: 'Bearer' };
  const { headers } = render(operationWith([schemes]), { credentials });
  expect(headers.filter(([name]) => name === 'Authorization')).toEqual([['Authorization', expected]]);
});

test.each([
  ['Content-Encoding', { type: 'string' }],
  ['X-Padded', { const: ' a ' }],
  ['X-Wide', { const: 'Łódź' }],
  ['X Two', { type: 'string' }],
])(
  'makes no request where the header parameter "%s" is required, which cannot be sent as %j',
  (name, schema) => {
    const parameters = [{ name, in: 'header', required: true, schema }];
    const { operations } = contractOf({ paths: { '/items': { get: { parameters, responses: {} } } } });
    expect(operations.map((each) => plainRequest(each).problem)).toEqual([
      `no value that can be sent was found that the schema of its header parameter "${name}" allows`,
    ]);
  },
);

const formSchema: JsonObject = {
  type: 'object',
  required: ['id', 'size'],
  properties: { id: { type: 'integer' }, size: { const: 'a&b' } },
};

function operationOf(...types: string[]): Operation {
  const content = Object.fromEntries(types.map((type) => [type, { schema: formSchema }]));
  const requestBody = { required: true, content };
  const responses = { 201: { description: 'Created' } };
  const [operation] = contractOf({ paths: { '/items': { post: { requestBody, responses } } } }).operations;
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

const urlEncoded = 'application/x-www-form-urlencoded';

test.each([
  [[urlEncoded], undefined, `${urlEncoded} id=4242&size=a%26b`],
  [['text/plain', urlEncoded], undefined, `${urlEncoded} id=4242&size=a%26b`],
  [['text/plain'], undefined, 'text/plain {"id":4242,"size":"a&b"}'],
  [[urlEncoded, 'application/json'], undefined, 'application/json {"id":4242,"size":"a&b"}'],
  // Another label stands for another notation.
  [[urlEncoded], `${urlEncoded.toUpperCase()}; charset=utf-8`, 'id=4242&size=a%26b'],
  [[urlEncoded], 'application/yaml', '{"id":4242,"size":"a&b"}'],
])('a body of %j labelled %s is sent as %s', (types, contentType, expected) => {
  const operation = operationOf(...types);
  const body: Body = ['{"id":', plainKey, ',"size":"a&b"}'];
  const { headers, body: sent } = render(operation, { body, ...(contentType ? { contentType } : {}) });
  const label = contentType ?? headerValue(headers, 'content-type');
  const text = decodeUtf8(sent ?? new Uint8Array());
  expect(`${label} ${text}`).toBe(contentType ? `${contentType} ${expected}` : expected);
});

test('a body that is not JSON is sent as it is, whatever its label', () => {
  const { body } = render(operationOf(urlEncoded), { body: ['{'] });
  expect(decodeUtf8(body ?? new Uint8Array())).toBe('{');
});

test('a form has a field, though none is required', () => {
  const schema = { type: 'object', properties: { size: { const: 'large' } } };
  const requestBody = { content: { [urlEncoded]: { schema } } };
  const { operations } = contractOf({ paths: { '/items': { post: { requestBody, responses: {} } } } });
  expect(operations.map((each) => decodeUtf8(render(each).body ?? new Uint8Array()))).toEqual(['size=large']);
});

test('a form holds a value that is nested deeply', () => {
  const deep = `${'['.repeat(1_100)}${']'.repeat(1_100)}`;
  const { body } = render(operationOf(urlEncoded), { body: [`{"id":1,"extra":{"deep":${deep}}}`] });
  expect(decodeURIComponent(decodeUtf8(body ?? new Uint8Array()) ?? '')).toBe(`id=1&extra={"deep":${deep}}`);
});
