import { expect, test } from 'vitest';
import type { JsonValue } from '../../json/value.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { essenceOf } from '../media-type.ts';
import { findCodec, findParser, findReadable, findStructured, isStreamMediaType } from './registry.ts';

function write(contentType: string, value: JsonValue, schema?: CompiledSchema): string {
  return String(findCodec(essenceOf(contentType))?.serialize?.(value, { schema }));
}

test.each([
  ['a value', { beat: 61 }, 'data: {"beat":61}\n\n'],
  ['each item of a list', [{ beat: 61 }, 62], 'data: {"beat":61}\n\ndata: 62\n\n'],
  ['each line of a text', 'a\nb', 'data: a\ndata: b\n\n'],
  ['no text that has fields already', 'id: 1\ndata: a\n\n', 'id: 1\ndata: a\n\n'],
  ['no comment of the stream', ': ping\n\n', ': ping\n\n'],
])('frames %s as an event', (_, value, text) => {
  expect(write('text/event-stream', value)).toBe(text);
});

test.each([
  ['application/x-ndjson', [{ a: 1 }, 'b'], '{"a":1}\n"b"\n'],
  ['application/jsonl; charset=utf-8', { a: [1] }, '{"a":[1]}\n'],
  ['application/ndjson', [], ''],
  ['application/x-ndjson', '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n'],
  ['application/json-seq', [1, 2], '\u001E1\n\u001E2\n'],
])('writes a JSON text for each item in %s', (contentType, value, text) => {
  expect(write(contentType, value)).toBe(text);
});

test.each([
  [
    'objects',
    [
      { a: 1, b: 'x,y' },
      { a: null, c: [1] },
    ],
    'a,b,c\r\n1,"x,y",\r\n,,[1]\r\n',
  ],
  ['an object', { 'the "a"': 'two\nlines' }, '"the ""a"""\r\n"two\nlines"\r\n'],
  ['an empty text', [{ a: '', b: null }], 'a,b\r\n"",\r\n'],
  ['lists', [[1, 2], [3]], '1,2\r\n3\r\n'],
  ['numbers', [1, 2], '1\r\n2\r\n'],
])('writes %s as CSV', (_, value, text) => {
  expect(write('text/csv; charset=utf-8', value)).toBe(text);
});

test('names the root element of XML by its component', () => {
  const nameAt = (pointer: string): string | undefined =>
    /<(\w+)>/u.exec(write('text/xml', 1, compileSchema({ schema: {}, pointer })))?.[1];
  expect(nameAt('/components/schemas/Seed')).toBe('Seed');
  expect(nameAt('/components/schemas/Seed/properties/id')).toBe('body');
  expect(nameAt('/paths/~1seed/get')).toBe('body');
});

const toMedia = (range: string, schema?: CompiledSchema) => ({
  range,
  codec: findCodec(range),
  schema,
  pointer: '',
});

test.each<[string, JsonValue]>([
  ['application/json', { a: [1, null] }],
  ['application/merge-patch+json', 'text'],
  ['text/plain', 'é'],
  ['application/octet-stream', 'é'],
])('parses what it writes in %s', (type, value) => {
  const written = findCodec(type)?.serialize?.(value, { schema: undefined }) ?? '';
  const content = typeof written === 'string' ? new TextEncoder().encode(written) : written;
  expect(findCodec(type)?.parse?.(content, toMedia(type), type)).toEqual({ kind: 'value', value });
});

test.each([
  [new Uint8Array([0xff]), 'it is not valid UTF-8'],
  [new Uint8Array([0x7b]), expect.any(String)],
])('says why content is no JSON', (content, reason) => {
  const type = 'application/json';
  expect(findCodec(type)?.parse?.(content, toMedia(type), type)).toEqual({ kind: 'malformed', reason });
});

test('prefers JSON, then a form, to what cannot be parsed', () => {
  const [json, form, text, html] = ['application/json', 'multipart/form-data', 'text/plain', 'text/html'].map(
    (range) => toMedia(range),
  );
  expect(findReadable([html, text, form, json].flatMap((each) => each ?? []))).toBe(json);
  expect(findReadable([html, text, form].flatMap((each) => each ?? []))).toBe(form);
  expect(findReadable([html, text].flatMap((each) => each ?? []))).toBeUndefined();
  expect(findStructured([html, text, form].flatMap((each) => each ?? []))).toBeUndefined();
});

test('parses no JSON that is declared as bytes', () => {
  const bytes = compileSchema({ schema: { type: 'string', format: 'binary' }, pointer: '' });
  expect(findParser(toMedia('*/*'), 'application/json')).toBe(findCodec('application/json'));
  expect(findParser(toMedia('*/*', bytes), 'application/json')).toBeUndefined();
  expect(findParser(toMedia('*/*'), 'text/plain')).toBeUndefined();
});

test.each([
  ['text/event-stream', true],
  ['application/x-ndjson', true],
  ['application/stream+json', true],
  ['text/x-json-seq', true],
  ['multipart/x-mixed-replace', true],
  ['text/csv', false],
  ['application/json', false],
])('%s is a stream: %s', (type, expected) => {
  expect(isStreamMediaType(type)).toBe(expected);
});
