import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createCheckContext } from '../../fixtures/create-check-context.ts';
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { createRouter } from '../contract/router.ts';
import type { Answer, Framing, HeaderList } from '../http/message.ts';
import type { JsonObject } from '../json/value.ts';
import { createPolicy, everyBehaviour, type Policy } from '../policy/policy.ts';
import { type Finding, findingId } from './finding.ts';
import { judgeExchange } from './judge.ts';
import type { CheckContext, ClassifiedRequest } from './classify/subject.ts';

const contract = await loadContract(undefined, { followReferences: false });
const route = createRouter(contract);
const utf8 = new TextEncoder();

interface Case {
  readonly method?: string;
  readonly target?: string;
  readonly authorization?: string | null;
  readonly contentType?: string | null;
  readonly headers?: HeaderList;
  readonly body?: string | Uint8Array;
  readonly status?: number;
  readonly answer?: string | Answer;
  readonly answerType?: string;
  readonly answerHeaders?: HeaderList;
  readonly key?: ClassifiedRequest['key'];
  readonly framing?: Framing;
  readonly enforced?: Partial<Policy>;
  readonly context?: Partial<CheckContext>;
}

const plain = '{"id":17,"name":"Basil"}';
const created = '{"name":"Basil"}';
const refusal = '{"error":400,"message":"no"}';

function field(name: string, value: string | null | undefined, fallback: string): HeaderList {
  return value === null ? [] : [[name, value ?? fallback]];
}

function toAnswer(input: Case): Answer {
  if (typeof input.answer === 'object') return input.answer;
  const status = input.status ?? 200;
  const headers: HeaderList = [
    ['Content-Type', input.answerType ?? 'application/json'],
    ...(input.answerHeaders ?? []),
  ];
  return {
    kind: 'response',
    response: { status, headers, body: utf8.encode(input.answer ?? (status < 300 ? created : refusal)) },
  };
}

/** What is found, as `level check`, notes left out. */
function findings(input: Case): readonly string[] {
  return judge(input).map(({ level, check }) => `${level} ${check}`);
}

function judge(input: Case): readonly Finding[] {
  const content = input.body ?? plain;
  const request = {
    method: input.method ?? 'POST',
    target: input.target ?? '/plants',
    headers: [
      ...field('Authorization', input.authorization, 'Bearer good'),
      ...field('Content-Type', input.contentType, 'application/json'),
      ...(input.headers ?? []),
    ],
    body: typeof content === 'string' ? utf8.encode(content) : content,
  };
  const judged = judgeExchange({
    exchange: { request, answer: toAnswer(input), durationMs: 1 },
    route: route(request.target),
    framing: input.framing ?? 'content-length',
    keyState: () => input.key ?? 'allocated',
    context: createCheckContext(contract, {
      policy: createPolicy(input.enforced ?? { 'accepted-tokens': 'listed' }),
      enforced: input.enforced === undefined ? new Set() : everyBehaviour,
      echo: 'violation',
      goodTokens: ['good'],
      longestPlainBody: 100,
      ...input.context,
    }),
  });
  return judged.findings.filter(({ level }) => level !== 'note');
}

test('says of an empty body that it is empty, and of another that it is not JSON', () => {
  const words = (body: string): readonly unknown[] =>
    judge({ body }).map(({ check, title, received }) => [check, title, received]);
  expect(words('')).toEqual([
    [
      'malformed-body-accepted',
      'An empty body was accepted, though the document requires one',
      '200 application/json for an empty body',
    ],
  ]);
  expect(words('{"id":17')).toEqual([
    [
      'malformed-body-accepted',
      undefined,
      '200 application/json for a body that is not JSON (the text ends too early)',
    ],
  ]);
});

test.each<[string, Case]>([
  ['a plain body that is answered with itself', {}],
  ['an extra property in the answer', { answer: '{"id":17,"name":"Basil","seen":true}' }],
  [
    'pretty-printed and with a charset',
    { answer: '{\n  "name": "Basil"\n}', answerType: 'application/json; charset=utf-8' },
  ],
  ['a media type in another case', { answerType: 'Application/JSON' }],
  ['an invalid body refused', { body: '{"id":"17","name":"Basil"}', status: 400 }],
  ['malformed JSON refused', { body: '{"id":17', status: 400 }],
  [
    'an undeclared property refused as told, whatever is unusual besides',
    { enforced: { 'undeclared-properties': 'refuse' }, body: '{"id":17,"name":"","extra":1}', status: 400 },
  ],
  ['an error code that is 400 by value', { body: '{}', status: 400, answer: '{"error":4e2,"message":"no"}' }],
  [
    'no credentials, 401 with its challenge',
    {
      authorization: null,
      status: 401,
      answerHeaders: [['WWW-Authenticate', 'Bearer']],
      answerType: 'text/html',
      answer: '<p>',
    },
  ],
  ['no credentials, a redirect to a login', { authorization: null, status: 302 }],
  ['no credentials, 404', { authorization: null, status: 404 }],
  ['a wrong token, 403', { authorization: 'Bearer bad', status: 403 }],
  ['another media type, 415', { contentType: 'text/plain', status: 415 }],
  ['neither a media type nor a body, 415', { contentType: null, body: '', status: 415 }],
  ['another media type that carries the body, read anyway', { contentType: 'text/plain' }],
  [
    'a form that carries the body, read anyway',
    { contentType: 'application/x-www-form-urlencoded', body: 'id=17&name=Basil' },
  ],
  ['a repeated key, 409', { key: 'sent', status: 409 }],
  ['a fresh key, 409, as another property may have to be unique', { status: 409 }],
  ['a repeated key, replaced', { key: 'sent', answer: '{"name":"Mint"}' }],
  ['a key that the case fixed, refused', { key: 'chosen', status: 400, body: '{"id":0,"name":"Basil"}' }],
  ['a long body, 413', { body: `{"id":17,"name":"${'x'.repeat(70_000)}"}`, status: 413 }],
  [
    'a long body, the connection closed',
    {
      body: `{"id":17,"name":"${'x'.repeat(70_000)}"}`,
      answer: { kind: 'dropped', reason: 'reset', received: new Uint8Array() },
    },
  ],
  ['chunks, 411', { framing: 'chunked', status: 411 }],
  ['an empty tag left out', { body: '{"id":17,"name":"Basil","tag":""}' }],
  ['1.0 for an integer, refused', { body: '{"id":1.0,"name":"Basil"}', status: 422 }],
  ['a key twice, refused', { body: '{"id":1,"id":17,"name":"Basil"}', status: 400 }],
  ['a byte order mark, refused', { body: `\uFEFF${plain}`, status: 400 }],
  [
    'a lone surrogate, answered with a replacement',
    { body: '{"id":17,"name":"\\ud800"}', answer: '{"name":"\uFFFD"}' },
  ],
  ['an Accept that cannot be met, 406', { headers: [['Accept', 'image/png']], status: 406 }],
  ['another method, 405 with Allow', { method: 'GET', status: 405, answerHeaders: [['Allow', 'POST']] }],
  ['another method, 501', { method: 'GET', status: 501 }],
  ['another path, 404', { target: '/elsewhere', status: 404 }],
])('says nothing against %s', (_title, input) => {
  expect(findings(input)).toEqual([]);
});

test.each<[string, string, Case]>([
  ['violation server-error', 'a 500', { status: 500 }],
  [
    'violation timed-out',
    'a hang',
    { answer: { kind: 'timed-out', afterMs: 5_000, received: new Uint8Array() } },
  ],
  [
    'violation connection-dropped',
    'a dropped connection',
    { answer: { kind: 'dropped', reason: 'reset', received: new Uint8Array() } },
  ],
  [
    'violation not-http',
    'bytes that are not HTTP',
    { answer: { kind: 'not-http', reason: 'garbage', received: new Uint8Array() } },
  ],
  ['violation undeclared-status', '201 where 200 is declared', { status: 201 }],
  ['violation undeclared-status', '422 for an invalid body', { status: 422, body: '{}' }],
  [
    'violation undeclared-status',
    '401 for good credentials',
    { status: 401, answerHeaders: [['WWW-Authenticate', 'Bearer']] },
  ],
  [
    'violation undeclared-status',
    '409 for a fresh key where nothing is ever taken',
    { status: 409, context: { taken: new Set<string>() } },
  ],
  [
    'violation undeclared-status',
    '409 for a fresh key where it is told that none is unique',
    { enforced: {}, status: 409 },
  ],
  ['violation undeclared-status', '415 for the declared media type', { status: 415 }],
  ['violation undeclared-status', '413 for a short body', { status: 413 }],
  [
    'violation response-media-type',
    'HTML under 400',
    { status: 400, body: '{', answerType: 'text/html', answer: '<p>' },
  ],
  ['violation response-media-type', '200 without content', { answer: '' }],
  ['violation response-json', 'NaN in the answer', { answer: '{"name":"Basil","x":NaN}' }],
  ['violation response-schema', 'tag: null', { answer: '{"name":"Basil","tag":null}' }],
  ['violation response-schema', 'a missing name', { answer: '{}' }],
  [
    'violation response-schema',
    'an error code in a string',
    { status: 400, body: '{}', answer: '{"error":"400","message":"no"}' },
  ],
  [
    'warning response-schema',
    'an error code outside int32',
    { status: 400, body: '{}', answer: '{"error":4000000000,"message":"no"}' },
  ],
  ['violation invalid-body-accepted', 'a string for an integer', { body: '{"id":"17","name":"Basil"}' }],
  ['violation invalid-body-accepted', 'a fraction for an integer', { body: '{"id":1.5,"name":"Basil"}' }],
  ['violation invalid-body-accepted', 'an array with the body in it', { body: `[${plain}]` }],
  ['violation malformed-body-accepted', 'a body cut short', { body: '{"id":17,"name":"Basil"' }],
  ['violation malformed-body-accepted', 'an empty body', { body: '' }],
  ['warning malformed-body-accepted', 'a trailing comma', { body: '{"id":17,"name":"Basil",}' }],
  ['warning malformed-body-accepted', 'text after the value', { body: `${plain} x` }],
  [
    'warning malformed-body-accepted',
    'UTF-16',
    { body: new Uint8Array(Buffer.from(`\uFEFF${plain}`, 'utf16le')) },
  ],
  [
    'warning malformed-body-accepted',
    'UTF-16 without a byte order mark',
    { body: new Uint8Array(Buffer.from(plain, 'utf16le')) },
  ],
  [
    'warning malformed-body-accepted',
    'invalid UTF-8 replaced',
    {
      body: Uint8Array.from([...utf8.encode('{"id":17,"name":"Bas'), 0xff, ...utf8.encode('"}')]),
      answer: '{"name":"Bas\uFFFD"}',
    },
  ],
  [
    'warning malformed-body-accepted',
    'a byte that is no UTF-8 after the value',
    { body: Uint8Array.from([...utf8.encode(plain), 0xff]) },
  ],
  [
    'violation media-type-accepted',
    'text that carries nothing',
    { contentType: 'text/plain', body: 'hello' },
  ],
  ['violation credentials-ignored', 'no credentials', { authorization: null }],
  ['violation credentials-ignored', 'another scheme', { authorization: 'Basic good' }],
  ['violation credentials-ignored', 'a scheme without a token', { authorization: 'Bearer' }],
  ['violation credentials-ignored', 'an unknown token', { authorization: 'Bearer bad' }],
  [
    'warning credential-spelling',
    'a lower-case scheme turned away',
    { authorization: 'bearer good', status: 401, answerHeaders: [['WWW-Authenticate', 'Bearer']] },
  ],
  [
    'warning credential-spelling',
    'a second space turned away',
    { authorization: 'Bearer  good', status: 401, answerHeaders: [['WWW-Authenticate', 'Bearer']] },
  ],
  ['warning www-authenticate', '401 without its challenge', { authorization: null, status: 401 }],
  ['warning allow', '405 without Allow', { method: 'GET', status: 405 }],
  ['violation echo', 'a trimmed name', { body: '{"id":17,"name":" Basil"}' }],
  ['violation echo', 'a tag that is left out', { body: '{"id":17,"name":"Basil","tag":"herb"}' }],
  [
    'violation echo',
    'a name in another normal form',
    { body: '{"id":17,"name":"Caf\u00e9"}', answer: '{"name":"Cafe\u0301"}' },
  ],
  ['warning undeclared-constraint', 'a plain body refused', { status: 400 }],
  ['warning undeclared-constraint', 'an unusual body refused', { status: 400, body: '{"id":17,"name":""}' }],
  [
    'warning int64-range',
    'an id outside int64 accepted',
    { body: '{"id":9223372036854775808,"name":"Basil"}', key: 'chosen' },
  ],
  [
    'warning media-type-spelling',
    'a charset refused',
    { contentType: 'application/json; charset=utf-8', status: 415 },
  ],
  ['violation bodiless-status', 'content in an answer to HEAD', { method: 'HEAD', status: 200 }],
])('finds as %s: %s', (expected, _title, input) => {
  expect(findings(input)).toContain(expected);
});

test.each<[string, Case]>([
  [
    '403 for missing credentials where 401 is told',
    { enforced: { 'accepted-tokens': 'listed' }, authorization: null, status: 403 },
  ],
  ['415 where 400 is told', { enforced: {}, contentType: 'text/plain', status: 415 }],
  [
    'an id outside int64 taken where refuse is told',
    { enforced: {}, body: '{"id":9223372036854775808,"name":"Basil"}' },
  ],
  ['1.0 refused where yes is told', { enforced: {}, body: '{"id":17.0,"name":"Basil"}', status: 400 }],
  ['406 where ignore is told', { enforced: {}, headers: [['Accept', 'image/png']], status: 406 }],
  [
    '404 for a method where 405 is told and no path is unknown',
    { enforced: { 'other-operations': { method: 405, path: 403 } }, method: 'GET', status: 404 },
  ],
])('finds drift: %s', (_title, input) => {
  expect(findings(input)).toContain('violation drift');
});

/** The names of what the answers to some bodies show first. */
function namesOf(bodies: readonly string[], status: number): readonly string[] {
  return bodies.flatMap((body) => {
    const judged = judgeExchange({
      exchange: {
        request: {
          method: 'POST',
          target: '/plants',
          headers: [
            ['Authorization', 'Bearer good'],
            ['Content-Type', 'application/json'],
          ],
          body: utf8.encode(body),
        },
        answer: toAnswer({ status }),
        durationMs: 1,
      },
      route: route('/plants'),
      framing: 'content-length',
      keyState: () => 'allocated',
      context: createCheckContext(contract, { goodTokens: ['good'] }),
    });
    const [finding] = judged.findings;
    return finding === undefined ? [] : [findingId(finding)];
  });
}

test('one cause has one name, whatever was generated', () => {
  const names = namesOf(['{"id":1,"name":"\u00e9"}', '{"id":2,"name":"\u{1f331}"}'], 500);
  expect(names).toEqual([expect.stringMatching(/^server-error-/u), names[0]]);
});

test('an undeclared status is one cause, whatever is wrong with a body', () => {
  const wrong = ['{"id":"1","name":"a"}', '{"id":1}', '{"id":1,"name":2}', '[]', '{"id":1'];
  const [name, ...others] = namesOf(wrong, 422);
  expect(name).toMatch(/^undeclared-status-/u);
  expect(others).toEqual([name, name, name, name]);
  expect(namesOf(['{"id":1,"name":"a"}'], 422)).not.toContain(name);
});

test('only a mock is believed that it could not make what the schema asks for', () => {
  const answer = { answer: '{}', answerHeaders: [['Cloche-Undeclared', 'not-mocked']] } as const;
  const findIn = (isMock: boolean): readonly string[] => findings({ ...answer, context: { isMock } });
  expect(findIn(true)).not.toContain('violation response-schema');
  expect(findIn(false)).toContain('violation response-schema');
});

/** The levels and checks of what is found in a response without content of a small document. */
function judgeStatus(
  files: Contract,
  sent: {
    readonly method: string;
    readonly target: string;
    readonly headers?: HeaderList;
    readonly body?: Uint8Array;
  },
  status: number,
): readonly string[] {
  return judgeExchange({
    exchange: {
      request: { headers: [], body: undefined, ...sent },
      answer: { kind: 'response', response: { status, headers: [], body: new Uint8Array() } },
      durationMs: 1,
    },
    route: createRouter(files)(sent.target.split('?', 1)[0] ?? ''),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(files),
  }).findings.map(({ level, check }) => `${level} ${check}`);
}

test('reports 428 as a note only if the request lacks a declared precondition', () => {
  const match = { name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } };
  const version = { ...match, name: 'X-Version' };
  const responses = { '200': { description: '' }, '400': { description: '' } };
  const files = contractOf({
    paths: {
      '/settings': { delete: { parameters: [match], responses } },
      '/flags': { delete: { parameters: [version], responses } },
    },
  });
  const sent = { method: 'DELETE', target: '/settings' };
  expect(judgeStatus(files, sent, 428)).toEqual(['note undeclared-status']);
  expect(judgeStatus(files, { ...sent, headers: [['if-match', '"1"']] }, 428)).toEqual([
    'violation undeclared-status',
  ]);
  expect(judgeStatus(files, { ...sent, target: '/flags' }, 428)).toEqual(['violation undeclared-status']);
});

test('reports 400 as a note if a form cannot be read and no refusal is declared', () => {
  const content = { 'multipart/form-data': { schema: { type: 'object', properties: { name: {} } } } };
  const post = { requestBody: { content }, responses: { '200': { description: '' } } };
  const files = contractOf({ paths: { '/uploads': { post } } });
  const headers: [string, string][] = [['Content-Type', 'multipart/form-data; boundary=b']];
  const send = (text: string): readonly string[] =>
    judgeStatus(files, { method: 'POST', target: '/uploads', headers, body: Buffer.from(text) }, 400);
  expect(send('--b\r\nContent-Disp')).toEqual(['note undeclared-status']);
  expect(send('--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nRex\r\n--b--')).toEqual([
    'violation undeclared-status',
  ]);
});

test('takes no HEAD for a server error if the document declares the status of its GET', () => {
  const responses = { '200': { description: '' }, '500': { description: '' } };
  const files = contractOf({ paths: { '/health': { get: { responses } } } });
  expect(judgeStatus(files, { method: 'HEAD', target: '/health?deep=1' }, 500)).toEqual([]);
  expect(judgeStatus(files, { method: 'HEAD', target: '/health' }, 502)).toEqual(['violation server-error']);
  expect(judgeStatus(files, { method: 'HEAD', target: '/' }, 500)).toEqual(['violation server-error']);
});

test('gives a stream any time until its first event', () => {
  const declare = (range: string): JsonObject => ({
    get: { responses: { '200': { description: '', content: { [range]: {} } } } },
  });
  const files = contractOf({
    paths: { '/events': declare('text/event-stream'), '/file': declare('text/plain') },
  });
  const levels = (target: string): readonly string[] =>
    judgeExchange({
      exchange: {
        request: { method: 'GET', target, headers: [], body: undefined },
        answer: { kind: 'timed-out', afterMs: 1000, received: new Uint8Array() },
        durationMs: 1000,
      },
      route: createRouter(files)(target),
      framing: 'content-length',
      keyState: () => 'none',
      context: createCheckContext(files),
    }).findings.map(({ check }) => check);
  expect(levels('/events')).toEqual([]);
  expect(levels('/file')).toEqual(['timed-out']);
});

test('accepts a text that may be a boolean, and no other text', () => {
  const dry = { name: 'dry', in: 'query', schema: { type: 'boolean' } };
  const files = contractOf({
    paths: { '/files': { get: { parameters: [dry], responses: { '200': { description: '' } } } } },
  });
  const judge = (text: string): readonly string[] =>
    judgeStatus(files, { method: 'GET', target: `/files?dry=${text}` }, 200);
  expect(judge('yes')).not.toContain('violation invalid-parameter-accepted');
  expect(judge('maybe')).toContain('violation invalid-parameter-accepted');
});

test('a service that refuses a path for its format is no violation where no refusal is declared', () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
  const files = contractOf({
    paths: {
      '/files/{id}': { get: { parameters: [id], responses: { '200': { description: '' } } } },
    },
  });
  const levels = (target: string, status: number): readonly string[] =>
    judgeExchange({
      exchange: {
        request: { method: 'GET', target, headers: [], body: undefined },
        answer: { kind: 'response', response: { status, headers: [], body: new Uint8Array() } },
        durationMs: 1,
      },
      route: createRouter(files)(target),
      framing: 'content-length',
      keyState: () => 'none',
      context: createCheckContext(files),
    })
      .findings.filter(({ check }) => check === 'undeclared-status')
      .map(({ level }) => level);
  expect(levels('/files/k7', 400)).toEqual(['note']);
  expect(levels('/files/k7', 409)).toEqual(['warning']);
  expect(levels('/files/k7', 202)).toEqual(['violation']);
  expect(levels('/files/fbf92f4e-3364-4bff-bfff-ffff00000011', 400)).toEqual(['violation']);
});
