import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { ParsedContent } from './codec.ts';
import { csvCodec } from './csv.ts';

const row: JsonObject = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    price: { type: ['number', 'null'] },
    sold: { type: 'boolean' },
    note: { type: ['string', 'null'] },
  },
};

const mediaOf = (schema: JsonObject, range = 'text/csv') => ({
  range,
  pointer: '',
  schema: compileSchema({ schema, pointer: '' }),
});

function parse(
  content: string | Uint8Array,
  schema: JsonObject = { type: 'array', items: row },
  type = 'text/csv',
): ParsedContent | undefined {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return csvCodec.parse?.(bytes, mediaOf(schema), type);
}

test.each<[string, JsonValue]>([
  [
    'id,name\r\n1,fern\r\n2,moss\r\n',
    [
      { id: 1, name: 'fern' },
      { id: 2, name: 'moss' },
    ],
  ],
  ['id,name\n1,fern', [{ id: 1, name: 'fern' }]],
  ['\uFEFFname,id\r\n"a ""b"", c\r\nd",1\r\n', [{ name: 'a "b", c\r\nd', id: 1 }]],
  [
    'id,name,price,sold\r\n1,2,2.5,true\r\n2,true,,false\r\n',
    [
      { id: 1, name: '2', price: 2.5, sold: true },
      { id: 2, name: 'true', price: null, sold: false },
    ],
  ],
  // A required text is there, and an optional boolean is not.
  ['id,name,sold\r\n1,,\r\n', [{ id: 1, name: '' }]],
  [
    'id,note\r\n1,\r\n2,""\r\n',
    [
      { id: 1, note: null },
      { id: 2, note: '' },
    ],
  ],
  ['id,colour\r\nx,red\r\n', [{ id: 'x', colour: 'red' }]],
  ['id,name\r\n1,fern\r\n\r\n', [{ id: 1, name: 'fern' }]],
  ['note\r\n\r\na\r\n', [{ note: null }, { note: 'a' }]],
  ['id,name\r\n', []],
])('reads %j', (text, value) => {
  expect(parse(text)).toMatchObject({ kind: 'value', value });
});

test.each([
  ['', 'it has no header line'],
  ['id,name,id\r\n', 'its header has a name twice'],
  ['id,name\r\n1\r\n', 'record 2 has 1 fields, but the header 2'],
  ['id\r\n"1\r\n', 'record 2 has a quote without its end'],
  ['id\r\n"1"2\r\n', 'record 2 has "2" after a quoted field'],
  ['id\r\n1"\r\n', String.raw`record 2 has "\"" in a field without quotes`],
  ['id\r\n1\r2\r\n', String.raw`record 2 has "\r" in a field without quotes`],
  [Uint8Array.of(0xff), 'it is not valid UTF-8'],
])('finds that %j is malformed', (text, reason) => {
  expect(parse(text)).toEqual({ kind: 'malformed', reason, isDisputed: true });
});

test.each([
  ['id,name,price\r\n1,fern,\r\n', false],
  ['id,name\r\n1,""\r\n', false],
  ['id,name\r\nx,fern\r\n', false],
  ['id,name,sold\r\n1,fern,\r\n', true],
  ['id,name,sold\r\n1,fern,1\r\n', true],
  ['id,name\r\n+1,fern\r\n', true],
  ['id,name,note\r\n1,fern,\r\n', true],
  ['id,name,note\r\n1,fern,""\r\n', true],
])('knows whether services differ in how they read %j', (text, isDisputed) => {
  const parsed = parse(text);
  expect(parsed?.kind === 'value' && parsed.isDisputed === true).toBe(isDisputed);
});

test('reads a table of flat objects only', () => {
  const nested = { type: 'object', properties: { tags: { type: 'array' } } };
  expect(parse('a\r\n', { type: 'string' })).toBeUndefined();
  expect(parse('a\r\n', row)).toBeUndefined();
  expect(parse('a\r\n', { type: 'array', items: { type: 'integer' } })).toBeUndefined();
  expect(parse('tags\r\n', { type: 'array', items: nested })).toBeUndefined();
  expect(parse('1,fern\r\n', undefined, 'text/csv; header=absent')).toBeUndefined();
});

test.each<[JsonValue]>([
  [[]],
  [[{ id: 1, name: '' }]],
  [
    [
      { id: 1, name: 'a,"b"\r\nc', price: null, sold: true },
      { id: -2, name: ' d ', price: 0.5, sold: false },
    ],
  ],
])('reads what it writes of %j', (value) => {
  const media = mediaOf({ type: 'array', items: row });
  const written = String(csvCodec.serialize?.(value, media));
  expect(parse(written)).toEqual({ kind: 'value', value });
});
