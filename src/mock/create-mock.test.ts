import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMock } from './create-mock.ts';
import type { Mock } from './mock.ts';
import type { RequestLogEntry } from './request-log-entry.ts';

const plantStore = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));
const good = { authorization: 'Bearer t0ken', 'content-type': 'application/json' };

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function send(mock: Mock, init: RequestInit, target = '/plants'): Promise<Answer> {
  const response = await mock.fetch(target, { method: 'POST', headers: good, ...init });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

function post(mock: Mock, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send(mock, { body, headers: { ...good, ...headers } });
}

function openMock(log?: (entry: RequestLogEntry) => void): Promise<Mock> {
  return createMock(plantStore, { tokens: ['t0ken'], ...(log === undefined ? {} : { log }) });
}

/** A declared refusal: 400, JSON, an Error with the status as its number, and nothing that marks it as undeclared. */
function expectRefused({ status, text, headers }: Answer, message: string): void {
  expect({ status, body: JSON.parse(text) }).toEqual({ status: 400, body: { error: 400, message } });
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.has('cloche-undeclared')).toBe(false);
}

test('answers a create with the plant, without its id', async () => {
  const mock = await openMock();
  const { status, text, headers } = await post(mock, '{"id":1,"name":"Fern","tag":"shade"}');
  expect({ status, text }).toEqual({ status: 200, text: '{"name":"Fern","tag":"shade"}' });
  expect(headers.get('content-type')).toBe('application/json');
  expect((await post(mock, '{"id":2,"name":"Moss"}')).text).toBe('{"name":"Moss"}');
});

test('answers with name and tag exactly as they were sent', async () => {
  const mock = await openMock();
  let id = 0;
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', ' a ', '1', '\0', '"', '\u{1F331}'),
  );
  await fc.assert(
    fc.asyncProperty(fc.record({ name: text, tag: text }, { requiredKeys: ['name'] }), async (plant) => {
      id += 1;
      const answer = await post(mock, JSON.stringify({ id, ...plant }));
      expect({ ...answer, body: JSON.parse(answer.text) }).toMatchObject({ status: 200, body: plant });
    }),
  );
});

test('keeps a lone surrogate that was escaped', async () => {
  const mock = await openMock();
  expect((await post(mock, String.raw`{"id":1,"name":"\ud800"}`)).text).toBe(String.raw`{"name":"\ud800"}`);
});

test('refuses an id that exists', async () => {
  const mock = await openMock();
  await post(mock, '{"id":1,"name":"Fern"}');
  const message = '/id 1 is taken: a resource with it exists already.';
  expectRefused(await post(mock, '{"id":1,"name":"Moss"}'), message);
});

test('forgets what was created on reset', async () => {
  const mock = await openMock();
  await post(mock, '{"id":1,"name":"Fern"}');
  await mock.reset();
  expect((await post(mock, '{"id":1,"name":"Fern"}')).status).toBe(200);
});

test.each([
  ['9007199254740992', '9007199254740993'],
  ['1', '4294967297'],
  ['0', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775807'],
])('takes the ids %s and %s for two', async (first, second) => {
  const mock = await openMock();
  expect((await post(mock, `{"id":${first},"name":"a"}`)).status).toBe(200);
  expect((await post(mock, `{"id":${second},"name":"b"}`)).status).toBe(200);
});

test.each([
  ['1', '1.0'],
  ['100', '1e2'],
  ['1', '10e-1'],
  ['9007199254740993', '9007199254740993.0'],
  ['0', '-0'],
])('takes the ids %s and %s for one', async (first, second) => {
  const mock = await openMock();
  expect((await post(mock, `{"id":${first},"name":"a"}`)).status).toBe(200);
  expect((await post(mock, `{"id":${second},"name":"b"}`)).status).toBe(400);
});

test.each([
  [
    '{"id":9223372036854775808,"name":"a"}',
    'The body is not valid: /id must be at most 9223372036854775807 (int64), but is 9223372036854775808.',
  ],
  ['{"id":"1","name":"a"}', 'The body is not valid: /id must be an integer, but is a string.'],
  ['{"id":1.5,"name":"a"}', 'The body is not valid: /id must be an integer, but is 1.5.'],
  ['{"id":1}', 'The body is not valid: /name is required, but missing.'],
  ['{"id":1,"name":"a","tag":null}', 'The body is not valid: /tag must be a string, but is null.'],
  ['[]', 'The body is not valid: the body must be an object, but is an array.'],
  ['{"id":1,"name":"a"', 'The body is not JSON: at line 1, column 19, the text ends too early.'],
  ['{"id":1,\n"name":a}', 'The body is not JSON: at line 2, column 8, unexpected character "a".'],
  [
    '\uFEFF{"id":1,"name":"a"}',
    'The body starts with a byte order mark, which JSON may not (RFC 8259 §8.1).',
  ],
  ['{"id":1,"name":"a",}', 'The body is not JSON: at line 1, column 20, "}" stands where none may.'],
])('refuses %j in words', async (body, message) => {
  expectRefused(await post(await openMock(), body), message);
});

test('names several problems at once', async () => {
  const { text } = await post(await openMock(), '{"id":null,"tag":1}');
  expect(text).toContain('/name is required');
  expect(text).toContain('/id must be an integer');
});

test('refuses a request without a body', async () => {
  expectRefused(await send(await openMock(), {}), 'The request has no body, and one is required.');
});

test('refuses bytes that are no UTF-8', async () => {
  const body = new Uint8Array([0x22, 0xff, 0x22]);
  expectRefused(await send(await openMock(), { body }), 'The body is not valid UTF-8.');
});

test.each(['text/plain', 'application/xml', 'application/jsonp', 'json', ''])(
  'refuses the media type %j',
  async (type) => {
    const answer = await post(await openMock(), '{"id":1,"name":"a"}', { 'content-type': type });
    expectRefused(
      answer,
      `The Content-Type ${JSON.stringify(type)} is not supported: send application/json.`,
    );
  },
);

test('refuses content without a media type, and content that is compressed', async () => {
  const mock = await openMock();
  const body = new TextEncoder().encode('{"id":1,"name":"a"}');
  const headers = { authorization: 'Bearer t0ken' };
  expectRefused(
    await send(mock, { body, headers }),
    'The request has no Content-Type: send application/json.',
  );
  const packed = await post(mock, '{}', { 'content-encoding': 'gzip' });
  expectRefused(packed, 'The Content-Encoding "gzip" is not supported: send the body as it is.');
});

test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;'])(
  'reads the media type %j',
  async (type) => {
    expect((await post(await openMock(), '{"id":1,"name":"a"}', { 'content-type': type })).status).toBe(200);
  },
);

test('refuses more than a mebibyte, and takes just that', async () => {
  const mock = await openMock();
  const frame = '{"id":1,"name":""}'.length;
  const fitting = `{"id":1,"name":"${'a'.repeat(1_048_576 - frame)}"}`;
  expect((await post(mock, fitting)).status).toBe(200);
  const message = 'The body is larger than 1048576 bytes, which is the most that is read.';
  expectRefused(await post(mock, `${fitting} `), message);
});

test('refuses nesting that would exhaust the stack', async () => {
  const deep = `{"id":1,"name":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expectRefused(
    await post(await openMock(), deep),
    'The body is not JSON: at line 1, column 1, it is nested deeper than 512 levels.',
  );
});

test('takes __proto__ and constructor for keys like any other', async () => {
  const mock = await openMock();
  expect((await post(mock, '{"__proto__":{"name":"a"},"id":1}')).status).toBe(400);
  expect((await post(mock, '{"__proto__":{"tag":"b"},"constructor":1,"id":1,"name":"a"}')).text).toBe(
    '{"name":"a"}',
  );
});

test('leaves no trace of what it refused', async () => {
  const mock = await openMock();
  await post(mock, '{"id":1}');
  await post(mock, '{"id":1,"name":"a"}', { authorization: 'Bearer other' });
  expect((await post(mock, '{"id":1,"name":"a"}')).status).toBe(200);
});

test.each([
  [{}, 'Bearer', 'missing-credentials'],
  [{ authorization: 'Basic dTpw' }, 'Bearer', 'missing-credentials'],
  [{ authorization: 's3cret' }, 'Bearer', 'missing-credentials'],
  [{ authorization: 'Bearer' }, 'Bearer', 'missing-credentials'],
  [{ authorization: 'Bearer s3cret' }, 'Bearer error="invalid_token"', 'invalid-credentials'],
])(
  'answers 401 for %j, challenges with %s, and marks it as undeclared',
  async (headers, challenge, condition) => {
    const mock = await openMock();
    const answer = await send(mock, {
      body: '{"id":1,"name":"a"}',
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    expect(answer.headers.get('cloche-undeclared')).toBe(condition);
    expect(JSON.parse(answer.text)).toEqual({
      error: 401,
      message: expect.stringContaining('Authorization'),
    });
    expect(answer.text).not.toContain('s3cret');
  },
);

test('accepts any token where none are listed', async () => {
  const mock = await createMock(plantStore);
  expect((await post(mock, '{"id":1,"name":"a"}', { authorization: 'Bearer anything' })).status).toBe(200);
  expect(mock.policy['accepted-tokens']).toBe('any');
});

test('answers 404 for another path and 405 with Allow for another method', async () => {
  const mock = await openMock();
  const missing = await send(mock, { method: 'GET' }, '/nothing/here?x=1');
  expect(missing.status).toBe(404);
  expect(missing.headers.get('cloche-undeclared')).toBe('other-operations');
  expect(JSON.parse(missing.text)).toEqual({
    error: 404,
    message: 'There is nothing at /nothing/here: the contract has no such path.',
  });
  const method = await send(mock, { method: 'GET' });
  expect(method.status).toBe(405);
  expect(method.headers.get('allow')).toBe('POST');
  expect(JSON.parse(method.text)).toEqual({
    error: 405,
    message: 'GET is not declared for /plants: it takes POST.',
  });
  expect((await send(mock, { method: 'OPTIONS' })).status).toBe(405);
});

test('answers HEAD without content', async () => {
  const answer = await send(await openMock(), { method: 'HEAD' });
  expect(answer).toMatchObject({ status: 405, text: '' });
});

test('answers a preflight for any header, on any path, without credentials', async () => {
  const mock = await openMock();
  const headers = {
    origin: 'http://localhost:5173',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-any',
    'access-control-request-private-network': 'true',
  };
  for (const path of ['/plants', '/elsewhere']) {
    const answer = await send(mock, { method: 'OPTIONS', headers }, path);
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,content-type,x-any');
    expect(answer.headers.get('access-control-max-age')).toMatch(/^\d+$/u);
    expect(answer.headers.get('access-control-allow-private-network')).toBe('true');
  }
});

test('lets a page of another origin read every answer, refusals included', async () => {
  const mock = await openMock();
  const answers = [
    await post(mock, '{"id":1,"name":"a"}', { origin: 'http://x' }),
    await post(mock, '{', { origin: 'http://x' }),
    await post(mock, '{}', { origin: 'http://x', authorization: '' }),
    await send(mock, { method: 'GET', headers: { origin: 'null' } }, '/elsewhere'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 404]);
  for (const { headers } of answers) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  }
  expect((await post(mock, '{')).headers.has('access-control-allow-origin')).toBe(false);
});

test('tells the log of each request, without its credentials', async () => {
  const entries: RequestLogEntry[] = [];
  const mock = await openMock((entry) => entries.push(entry));
  await post(mock, '{"id":1,"name":"a"}');
  await post(mock, '{"id":1,"name":"a"}');
  await post(mock, '{}', { authorization: 'Bearer s3cret' });
  await send(mock, { method: 'GET' }, '/elsewhere');
  expect(entries).toMatchObject([
    { method: 'POST', target: '/plants', status: 200, operation: 'createPlant' },
    {
      status: 400,
      operation: 'createPlant',
      condition: 'duplicate-key',
      message: '/id 1 is taken: a resource with it exists already.',
    },
    { status: 401, condition: 'invalid-credentials', undeclared: 'invalid-credentials' },
    {
      method: 'GET',
      target: '/elsewhere',
      status: 404,
      condition: 'unknown-path',
      undeclared: 'other-operations',
    },
  ]);
  expect(entries.every(({ durationMs, time }) => durationMs >= 0 && time > 0)).toBe(true);
  expect(JSON.stringify(entries)).not.toMatch(/s3cret|t0ken/u);
});

test('sends the same bytes through send as through fetch', async () => {
  const mock = await openMock();
  const body = new TextEncoder().encode('{"id":1,"name":"\u00e4"}');
  const request = { method: 'POST', target: '/plants', headers: Object.entries(good), body };
  const answer = await mock.send(request);
  expect(answer).toEqual({
    kind: 'response',
    response: {
      status: 200,
      headers: [
        ['Content-Type', 'application/json'],
        ['Content-Length', '13'],
      ],
      body: new TextEncoder().encode('{"name":"\u00e4"}'),
    },
  });
  expect(
    await mock.send({ ...request, headers: [...request.headers, ['Authorization', 'Bearer t0ken']] }),
  ).toMatchObject({ response: { status: 401 } });
  expect(await mock.send(request, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'timed-out' });
});

test('fetches from a URL, a Request and a path alike', async () => {
  const mock = await openMock();
  const init = { method: 'POST', headers: good, body: '{"id":1,"name":"a"}' };
  expect((await mock.fetch(new URL('http://any.where/plants'), init)).status).toBe(200);
  expect((await mock.fetch(new Request('http://any.where/plants', init))).status).toBe(400);
  expect((await mock.fetch('http://any.where/plants', init)).status).toBe(400);
});

test('takes a contract as well as a path', async () => {
  const { contract } = await openMock();
  expect((await createMock(contract)).contract).toBe(contract);
});

test('refuses a policy for a question that there is not', async () => {
  // @ts-expect-error: what a user without types may write
  const made = createMock(plantStore, { policy: { 'duplicate-keys': 'conflict' } });
  await expect(made).rejects.toMatchObject({ code: 'POLICY_INVALID', subject: 'duplicate-keys' });
});

test.each(['', ' a', 'a\n'])('refuses %j for a token, without repeating it', async (token) => {
  const made = createMock(plantStore, { tokens: ['good', token] });
  await expect(made).rejects.toMatchObject({ code: 'OPTION_INVALID', subject: 'tokens[1]' });
});
