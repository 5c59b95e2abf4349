import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { findCodec } from '../../http/codecs/registry.ts';
import { essenceOf } from '../../http/media-type.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import {
  createProjection,
  listSentMedia,
  type SentMedia,
  writeContent,
  writesAnyValue,
} from './representation.ts';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { findInvalidHeader } from '../../contract/check-headers.ts';
import type { HeaderList } from '../../http/message.ts';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';

test('picks what the schema declares, values as they are', () => {
  const project = createProjection({ properties: { name: { type: 'string' }, tag: {} } }, 'writeOnly');
  expect(project({ id: 1, tag: { any: ['thing'] }, name: 'a' })).toEqual({
    name: 'a',
    tag: { any: ['thing'] },
  });
});

test('picks everything, as a copy, where nothing is declared', () => {
  const project = createProjection(true, 'writeOnly');
  const value = { id: 1 };
  expect(project(value)).toEqual(value);
  expect(project(value)).not.toBe(value);
});

test('leaves write-only properties out, at any depth', () => {
  const secret = { type: 'string', writeOnly: true };
  const project = createProjection(
    {
      properties: {
        password: secret,
        owner: { $ref: '#/$defs/person' },
        others: { type: 'array', items: { $ref: '#/$defs/person' } },
      },
      $defs: { person: { type: 'object', properties: { name: { type: 'string' }, pin: secret } } },
    },
    'writeOnly',
  );
  const person = { name: 'a', pin: '1234', note: 'kept' };
  expect(project({ password: 'x', owner: person, others: [person] })).toEqual({
    owner: { name: 'a', note: 'kept' },
    others: [{ name: 'a', note: 'kept' }],
  });
});

test('leaves write-only properties out of what holds itself, however deep', () => {
  const node = { properties: { next: { $ref: '#/$defs/node' }, pin: { type: 'string', writeOnly: true } } };
  const project = createProjection({ $ref: '#/$defs/node', $defs: { node } }, 'writeOnly');
  const nest = (depth: number, inmost: JsonObject): JsonObject =>
    depth === 0 ? inmost : { next: nest(depth - 1, inmost) };
  expect(project(nest(20, { pin: '1234', name: 'a' }))).toEqual(nest(20, { name: 'a' }));
});

test('leaves out what a closed schema further down does not allow', () => {
  const project = createProjection(
    { properties: { owner: { type: 'object', properties: { name: true }, additionalProperties: false } } },
    'writeOnly',
  );
  expect(project({ owner: { name: 'a', age: 1 } })).toEqual({ owner: { name: 'a' } });
});

test('never takes an inherited property for a sent one', () => {
  const project = createProjection({ properties: { constructor: {}, toString: {}, name: {} } }, 'writeOnly');
  expect(project({ name: 'a' })).toEqual({ name: 'a' });
  const own = JSON.parse('{"__proto__":"p","constructor":"c"}');
  const open = createProjection({ properties: JSON.parse('{"__proto__":{},"constructor":{}}') }, 'writeOnly');
  expect(JSON.stringify(open(own))).toBe('{"__proto__":"p","constructor":"c"}');
});

const sentMedia = (range: string): readonly SentMedia[] =>
  listSentMedia([
    { range, codec: findCodec(essenceOf(range)), schema: undefined, examples: [], pointer: '' },
  ]);

const sentTypes = (range: string): readonly string[] =>
  sentMedia(range).map(({ contentType }) => contentType);

test.each([
  ['text/plain', 'text/plain; charset=utf-8'],
  ['text/html', 'text/html; charset=utf-8'],
  ['text/csv', 'text/csv; charset=utf-8'],
])('names the charset of %s', (range, contentType) => {
  expect(sentTypes(range)).toEqual([contentType]);
});

test.each([
  'text/plain; charset=iso-8859-1',
  'text/csv; header=present',
  'text/event-stream',
  'application/json',
  'application/xml',
  'image/png',
])('sends %s as the document declares it', (range) => {
  expect(sentTypes(range)).toEqual([range]);
});

test.each([
  ['image/*', ['image/png', 'image/jpeg', 'image/gif', 'image/svg+xml', 'image/webp']],
  ['text/*', ['text/plain; charset=utf-8', 'text/html; charset=utf-8', 'text/csv; charset=utf-8']],
  ['model/*', ['application/octet-stream']],
  ['constructor/*', ['application/octet-stream']],
  ['*/*', ['application/json']],
  ['application/*', ['application/json']],
])('answers the range %s with concrete types, the usual one first', (range, types) => {
  expect(sentTypes(range)).toEqual(types);
});

test.each([
  ['application/json', '{"id":1}', true],
  [
    'application/atom+xml; charset=utf-8',
    '<?xml version="1.0" encoding="UTF-8"?>\n<body><id>1</id></body>\n',
    true,
  ],
  ['text/csv; header=present', 'id\r\n1\r\n', true],
  ['application/xml-dtd', '{"id":1}', false],
  ['text/plain; x=/xml', '{"id":1}', false],
  ['multipart/form-data', '{"id":1}', false],
])('writes a value in %s', (range, text, isAny) => {
  const [sent] = sentMedia(range);
  expect(sent && writeContent(sent, { id: 1 })).toBe(text);
  expect(sent && writesAnyValue(sent)).toBe(isAny);
});

test.each(['text/xml', 'text/csv', 'application/x-ndjson', 'text/plain', 'application/octet-stream'])(
  'writes a text in %s as it is',
  (range) => {
    expect(sentMedia(range).map((sent) => writeContent(sent, '<é/>'))).toEqual(['<é/>']);
  },
);

const opened: Mock[] = [];
afterEach(() => Promise.all(opened.splice(0).map((mock) => mock.close())));

/** What a mock answers with on a port whose document requires fields of both answers: with content, and without. */
async function answerWith(headers: JsonObject): Promise<readonly { status: string; fields: HeaderList }[]> {
  const content = { 'application/json': { schema: { type: 'object' } } };
  const contract = contractOf({
    paths: {
      '/with': { get: { responses: { 200: { description: 'OK', headers, content } } } },
      '/without': { get: { responses: { 204: { description: 'OK', headers } } } },
    },
  });
  const mock = await createMock(contract);
  opened.push(mock);
  const { port } = new URL((await mock.listen()).url);
  const answers = [];
  for (const path of ['/with', '/without']) {
    const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
    let text = '';
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    const [first = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
    const fields = lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    });
    const responses =
      contract.operations.find((operation) => operation.path.template === path)?.responses ?? [];
    for (const header of responses.flatMap((response) => response.headers)) {
      expect(findInvalidHeader(header, fields)).toBe(undefined);
    }
    answers.push({ status: first.slice(9, 12), fields });
  }
  return answers;
}

const requiring = (schema: JsonValue): JsonObject => ({ required: true, schema });

test.each([
  ['Content-Length', { const: 7 }],
  ['content-length', { type: 'integer', example: 700 }],
  ['Transfer-Encoding', { const: 'chunked' }],
  ['Connection', { const: 'upgrade' }],
  ['Keep-Alive', { type: 'string' }],
  ['Upgrade', { const: 'websocket' }],
  ['Trailer', { const: 'X-A' }],
  ['TE', { const: 'trailers' }],
  ['Proxy-Connection', { type: 'string' }],
  ['Content-Encoding', { type: 'string', example: 'gzip' }],
])('frames an answer itself, whatever the document says of %s', async (name, schema) => {
  const [, without] = await answerWith({ [name]: requiring(schema) });
  for (const { status, fields } of await answerWith({ [name]: requiring(schema) })) {
    const own = fields.filter(([field]) => field.toLowerCase() === name.toLowerCase());
    const expected = { connection: ['close'], 'content-length': ['2'] }[name.toLowerCase()] ?? [];
    expect([status, own.map(([, value]) => value)]).toEqual(
      status === '200' ? ['200', expected] : ['204', expected.filter((value) => value !== '2')],
    );
  }
  expect(without?.status).toBe('204');
});

test.each([
  ['Łódź', '%C5%81%C3%B3d%C5%BA'],
  ['Köln 100%', 'K%C3%B6ln 100%25'],
  ['a\r\nSet-Cookie: b=c', 'a%0D%0ASet-Cookie: b=c'],
  ['a\0b', 'a%00b'],
  ['\u001B[31m', '%1B[31m'],
  ['a b%20c', 'a b%20c'],
  ['', ''],
])('sends the value %j of a field as %j, which the checks take for it', async (value, sent) => {
  for (const { fields } of await answerWith({ 'X-City': requiring({ enum: [value] }) })) {
    expect(fields.filter(([name]) => /city|cookie/iu.test(name))).toEqual([['X-City', sent]]);
  }
});

test.each(['bad name', 'X-A\r\nX-B', 'Łódź', '', 'a:b'])(
  'leaves out %j, which is no name of a field',
  async (name) => {
    const answers = await answerWith({ [name]: requiring({ const: 'was sent' }) });
    expect(answers.map(({ status }) => status)).toEqual(['200', '204']);
    expect(JSON.stringify(answers)).not.toContain('was sent');
  },
);

test('dates an answer once', async () => {
  for (const { fields } of await answerWith({ Date: requiring({ type: 'string' }) })) {
    const dates = fields.filter(([name]) => name === 'Date').map(([, value]) => value);
    expect(dates).toEqual([new Date(dates[0] ?? '').toUTCString()]);
  }
});
