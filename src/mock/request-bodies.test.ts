import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMock } from './create-mock.ts';
import type { Mock } from './mock.ts';

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

function openMock(): Promise<Mock> {
  return createMock(plantStore, { tokens: ['t0ken'] });
}

/** What a refusal consists of. */
function shown({ status, text, headers }: Answer): unknown {
  const type = headers.get('content-type');
  return { status, body: JSON.parse(text), type, undeclared: headers.get('cloche-undeclared') };
}

/** A declared refusal: an Error with the status as its number, and nothing that marks it as undeclared. */
function refused(message: string): unknown {
  return { status: 400, body: { error: 400, message }, type: 'application/json', undeclared: null };
}

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
  expect(shown(await post(mock, '{"id":1,"name":"Moss"}'))).toEqual(refused(message));
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
  ['{"id":4,', 'The body is not JSON: at line 1, column 9, the text ends too early.'],
  ['{"id":1,\n"name":a}', 'The body is not JSON: at line 2, column 8, unexpected character "a".'],
  [
    '\uFEFF{"id":1,"name":"a"}',
    'The body starts with a byte order mark, which JSON may not (RFC 8259 §8.1).',
  ],
  ['{"id":1,"name":"a",}', 'The body is not JSON: at line 1, column 20, "}" stands where none may.'],
])('refuses %j in words', async (body, message) => {
  expect(shown(await post(await openMock(), body))).toEqual(refused(message));
});

test('names several problems at once', async () => {
  const { text } = await post(await openMock(), '{"id":null,"tag":1}');
  expect(text).toContain('/name is required');
  expect(text).toContain('/id must be an integer');
});

test('refuses a request without a body', async () => {
  expect(shown(await send(await openMock(), {}))).toEqual(
    refused('The request has no body, and one is required.'),
  );
});

test('refuses bytes that are no UTF-8', async () => {
  const body = new Uint8Array([0x22, 0xff, 0x22]);
  expect(shown(await send(await openMock(), { body }))).toEqual(refused('The body is not valid UTF-8.'));
});

test.each(['text/plain', 'application/xml', 'application/jsonp', 'json', ''])(
  'refuses the media type %j',
  async (type) => {
    const answer = await post(await openMock(), '{"id":1,"name":"a"}', { 'content-type': type });
    expect(shown(answer)).toEqual(
      refused(`The Content-Type ${JSON.stringify(type)} is not supported: send application/json.`),
    );
  },
);

test('refuses content without a media type, and content that is compressed', async () => {
  const mock = await openMock();
  const body = new TextEncoder().encode('{"id":1,"name":"a"}');
  const headers = { authorization: 'Bearer t0ken' };
  expect(shown(await send(mock, { body, headers }))).toEqual(
    refused('The request has no Content-Type: send application/json.'),
  );
  const packed = await post(mock, '{}', { 'content-encoding': 'gzip' });
  expect(shown(packed)).toEqual(
    refused('The Content-Encoding "gzip" is not supported: send the body as it is.'),
  );
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
  expect(shown(await post(mock, `${fitting} `))).toEqual(refused(message));
});

test('refuses nesting that would exhaust the stack', async () => {
  const deep = `{"id":1,"name":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(shown(await post(await openMock(), deep))).toEqual(
    refused('The body is nested deeper than 512 levels, which is the most that is read.'),
  );
});

test('takes __proto__ and constructor for keys like any other', async () => {
  const mock = await openMock();
  expect((await post(mock, '{"__proto__":{"name":"a"},"id":1}')).status).toBe(400);
  expect((await post(mock, '{"__proto__":{"tag":"b"},"constructor":1,"id":1,"name":"a"}')).text).toBe(
    '{"name":"a"}',
  );
});
