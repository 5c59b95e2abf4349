import { expect, test } from 'vitest';
import { findCodec } from '../../http/codecs/registry.ts';
import { essenceOf } from '../../http/media-type.ts';
import type { JsonObject } from '../../json/value.ts';
import {
  createProjection,
  listSentMedia,
  type SentMedia,
  writeContent,
  writesAnyValue,
} from './representation.ts';

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
