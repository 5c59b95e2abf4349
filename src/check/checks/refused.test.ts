import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import { judgeExchange } from '../judge.ts';

const contract = await loadContract(undefined, { followReferences: false });
const route = createRouter(contract);
const utf8 = new TextEncoder();

/** What is found of a good token that is turned away. */
function findingsOf(authorization: string, text = '{"id":17,"name":"Basil"}', status = 401) {
  const { findings } = judgeExchange({
    exchange: {
      request: {
        method: 'POST',
        target: '/plants',
        headers: [
          ['Authorization', authorization],
          ['Content-Type', 'application/json'],
        ],
        body: utf8.encode(text),
      },
      answer: {
        kind: 'response',
        response: { status, headers: [['WWW-Authenticate', 'Bearer']], body: new Uint8Array() },
      },
      durationMs: 1,
    },
    route: route('/plants'),
    framing: 'content-length',
    keyState: () => 'allocated',
    context: createCheckContext(contract, { goodTokens: ['good'] }),
  });
  return findings.filter(({ check }) => check === 'credential-spelling');
}

test.each(['bearer good', 'BEARER good', 'bearer  good'])(
  'warns of the case of the scheme in %j',
  (value) => {
    expect(findingsOf(value)).toEqual([
      expect.objectContaining({
        clause: expect.objectContaining({ section: '11.1' }),
        expected: 'a valid token is accepted with its scheme in any case',
      }),
    ]);
    expect(findingsOf(value)[0]).not.toHaveProperty('trigger');
  },
);

test('warns of the spaces before the token where nothing else is unusual', () => {
  expect(findingsOf('Bearer  good')).toEqual([
    expect.objectContaining({
      clause: expect.objectContaining({ section: '11.4' }),
      expected: 'a valid token is accepted with any number of spaces before it',
      trigger: 'two spaces before the token',
    }),
  ]);
});

test('warns of it whatever else there is to the body, as 401 is about credentials alone', () => {
  for (const text of ['{"id":17,"name":""}', '{"id":17}', '{']) {
    expect(findingsOf('bearer good', text)).toHaveLength(1);
  }
});

/** What is found of a change that is refused, with a body and a media type. */
function findingsOfChange(status: number, text: string, contentType = 'application/json') {
  const schema = { type: 'object', properties: { id: { type: 'integer' }, note: { type: 'string' } } };
  const content = { 'application/json': { schema } };
  const done = { description: 'done', content };
  const orders = contractOf({
    paths: {
      '/orders': { post: { requestBody: { content }, responses: { '201': done } } },
      '/orders/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        patch: {
          requestBody: { content },
          responses: { '200': done, '409': { description: 'busy' }, '422': { description: 'refused' } },
        },
      },
    },
  });
  const { findings } = judgeExchange({
    exchange: {
      request: {
        method: 'PATCH',
        target: '/orders/7',
        headers: [['Content-Type', contentType]],
        body: utf8.encode(text),
      },
      answer: { kind: 'response', response: { status, headers: [], body: new Uint8Array() } },
      durationMs: 1,
    },
    route: createRouter(orders)('/orders/7'),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(orders),
  });
  return findings.filter(({ level }) => level === 'warning');
}

test.each([
  ['application/json ; charset=utf-8', '5.6.6'],
  ['application/json;', '5.6.6'],
  ['Application/JSON', '8.3.1'],
])('says which rule lets %j through', (contentType, section) => {
  expect(findingsOfChange(415, '{"note":"two"}', contentType)).toEqual([
    expect.objectContaining({
      check: 'media-type-spelling',
      clause: expect.objectContaining({ section }),
    }),
  ]);
});

test('a change with nothing in it shows nothing of how it is labelled, as it may be refused for that', () => {
  expect(findingsOfChange(415, '{}', 'Application/JSON')).toEqual([]);
});

test('a refusal that speaks of what others do says nothing of how a request is spelled', () => {
  expect(findingsOfChange(422, '{"note":"two"}', 'Application/JSON')).toHaveLength(1);
  expect(findingsOfChange(409, '{"note":"two"}', 'Application/JSON')).toEqual([]);
  expect(findingsOf('bearer good', undefined, 409)).toEqual([]);
});

test('reports no constraint for a declared 409, which is about stored data', () => {
  expect(findingsOfChange(422, '{"note":"two"}')).toHaveLength(1);
  expect(findingsOfChange(409, '{"note":"two"}')).toEqual([]);
});

test.each([
  ['PUT', '{"id":7,"note":"two"}', ['404'], 0],
  ['POST', '{"note":"two"}', ['404'], 0],
  ['POST', '{"note":"two"}', ['4XX'], 1],
])('%s of %j that gets 404 with %j declared is %i findings', (method, text, statuses, count) => {
  const schema = { type: 'object', properties: { id: { type: 'integer' }, note: { type: 'string' } } };
  const content = { 'application/json': { schema } };
  const missing = Object.fromEntries(statuses.map((status) => [status, { description: 'There is none.' }]));
  const orders = contractOf({
    paths: {
      '/orders': {
        post: {
          requestBody: { content },
          responses: { '201': { description: 'done', content }, ...missing },
        },
        put: { requestBody: { content }, responses: { '200': { description: 'done', content }, ...missing } },
      },
      '/orders/{id}': { get: { responses: { '200': { description: 'done', content } } } },
    },
  });
  const { findings } = judgeExchange({
    exchange: {
      request: {
        method,
        target: '/orders',
        headers: [['Content-Type', 'application/json']],
        body: utf8.encode(text),
      },
      answer: { kind: 'response', response: { status: 404, headers: [], body: new Uint8Array() } },
      durationMs: 1,
    },
    route: createRouter(orders)('/orders'),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(orders),
  });
  expect(findings).toHaveLength(count);
});

test('a change with nothing in it that is refused is one finding, however it is spelled', () => {
  const [plain] = findingsOfChange(422, '{}');
  expect(plain).toMatchObject({
    check: 'undeclared-constraint',
    expected: 'a change with nothing in it is accepted, or the document declares the constraint',
  });
  expect(findingsOfChange(422, '{ \t}')).toEqual([expect.objectContaining({ cause: plain?.cause })]);
});
