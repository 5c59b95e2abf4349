import { expect, test } from 'vitest';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import type { ParsedContent, PropertyEncoding } from './codec.ts';
import { formCodec } from './form.ts';

const properties = {
  name: { type: 'string' },
  age: { type: 'integer' },
  isPet: { type: 'boolean' },
  owner: { type: ['integer', 'null'] },
  tags: { type: 'array', items: { type: 'integer' } },
  words: { type: 'array', items: { type: 'string' } },
  address: {
    type: 'object',
    required: ['city'],
    properties: { city: { type: 'string' }, no: { type: 'integer' } },
  },
  lines: { type: 'array', items: { type: 'object', properties: { price: { type: 'integer' } } } },
  either: { anyOf: [{ type: 'array', items: { type: 'string' } }, { enum: [''] }] },
  photo: { type: 'string', format: 'binary' },
  note: {},
  tree: { $ref: '#/$defs/Tree' },
};
const schema = {
  type: 'object',
  properties,
  $defs: {
    Tree: {
      type: 'object',
      properties: { size: { type: 'integer' }, left: { $ref: '#/$defs/Tree' } },
    },
  },
};

function read(
  content: string,
  encoding: Record<string, PropertyEncoding> = {},
  contentType = 'application/x-www-form-urlencoded',
): ParsedContent | undefined {
  const media = {
    range: contentType,
    schema: compileSchema({ schema, pointer: '' }),
    encoding: new Map(Object.entries(encoding)),
    pointer: '/media',
  };
  return formCodec.parse?.(new TextEncoder().encode(content), media, contentType);
}

test.each([
  ['name=a+b%26c&age=5&isPet=true', { name: 'a b&c', age: 5, isPet: true }],
  // What is no number stays the text that the schema then refuses.
  ['age=five', { age: 'five' }],
  ['age=9007199254740993', { age: expect.objectContaining({ text: '9007199254740993' }) }],
  ['owner=', { owner: null }],
  ['name=one&name=two', { name: 'two' }],
  ['tags=1&tags=2', { tags: [1, 2] }],
  ['tags=1', { tags: [1] }],
  ['tags[]=1&tags[]=2', { tags: [1, 2] }],
  ['tags[1]=2&tags[0]=1', { tags: [1, 2] }],
  ['tags=[1,2]', { tags: [1, 2] }],
  ['words=[1]', { words: ['[1]'] }],
  ['address={"city":"Rome","no":1}', { address: { city: 'Rome', no: 1 } }],
  ['address[city]=1&address[no]=1', { address: { city: '1', no: 1 } }],
  ['city=Rome&no=1', { address: { city: 'Rome', no: 1 } }],
  ['lines[0][price]=7&lines[1][price]=8', { lines: [{ price: 7 }, { price: 8 }] }],
  ['lines={"price":7}&lines={"price":8}', { lines: [{ price: 7 }, { price: 8 }] }],
  ['tree[left][left][size]=3', { tree: { left: { left: { size: 3 } } } }],
  ['either=', { either: [''] }],
  ['either=a', { either: ['a'] }],
  ['note=1', { note: '1' }],
  ['note=1&note=2', { note: ['1', '2'] }],
  ['other[a]=1', { 'other[a]': '1' }],
  ['__proto__=1', Object.fromEntries([['__proto__', '1']])],
])('reads %s', (content, value) => {
  expect(read(content)).toEqual({ kind: 'value', value });
});

test.each([
  ['tags=1,2', { tags: { explode: false } }, { tags: [1, 2] }],
  ['words=a%2Cb,c', { words: { style: 'form', explode: false } }, { words: ['a,b', 'c'] }],
  ['tags=1%202', { tags: { style: 'spaceDelimited' } }, { tags: [1, 2] }],
  ['address=city,Rome,no,1', { address: { explode: false } }, { address: { city: 'Rome', no: 1 } }],
  ['note=5', { note: { contentType: 'application/json' } }, { note: 5 }],
  ['name=5', { name: { contentType: 'application/json' } }, { name: '5' }],
  ['city=Rome', { address: { style: 'deepObject', explode: true } }, { city: 'Rome' }],
])('reads %s as the encoding %j says', (content, encoding, value) => {
  expect(read(content, encoding)).toEqual({ kind: 'value', value });
});

function multipart(...parts: readonly (readonly [fields: string, content: string])[]): string {
  const written = parts.map(
    ([fields, content]) => `--b\r\nContent-Disposition: form-data; ${fields}\r\n\r\n${content}\r\n`,
  );
  return `${written.join('')}--b--\r\n`;
}

const isMultipart = 'multipart/form-data; boundary=b';

test('reads parts by their media types, or where they say none, by what is declared', () => {
  const content = multipart(
    ['name="address"\r\nContent-Type: application/json', '{"city":"Rome"}'],
    ['name="tree"', '{"size":1}'],
    ['name="tags"', '1'],
    ['name="tags"', '2'],
    ['name="photo"; filename="a.json"\r\nContent-Type: application/json', '{"a":1}'],
    ['name="note"\r\nContent-Type: application/json', 'true'],
    ['name="age"', '5'],
  );
  expect(read(content, {}, isMultipart)).toEqual({
    kind: 'value',
    value: {
      address: { city: 'Rome' },
      tree: { size: 1 },
      tags: [1, 2],
      photo: '{"a":1}',
      note: true,
      age: 5,
    },
  });
});

test('finds a part of another media type than the document says, and lets one pass that says none', () => {
  const encoding = { photo: { contentType: 'image/png, image/jpeg' } };
  const typed = (type: string): string =>
    multipart([`name="photo"; filename="x"\r\nContent-Type: ${type}`, 'x']);
  expect(read(typed('text/plain'), encoding, isMultipart)).toEqual({
    kind: 'wrong-type',
    at: '/photo',
    sent: 'text/plain',
    wanted: 'image/png, image/jpeg',
    clause: '/media/encoding/photo/contentType',
  });
  expect(read(typed('image/jpeg'), encoding, isMultipart)).toMatchObject({ kind: 'value' });
  expect(read(multipart(['name="photo"', 'x']), encoding, isMultipart)).toMatchObject({ kind: 'value' });
});

test('says why it cannot read a form', () => {
  expect(read('name=x', {}, 'multipart/form-data')).toEqual({
    kind: 'malformed',
    reason: 'its Content-Type names no boundary',
  });
  expect(read('a=1&'.repeat(10_001))).toEqual({ kind: 'malformed', reason: 'it has more than 10000 fields' });
});

test('reads no form where the schema wants no object', () => {
  const parse = (schema: CompiledSchema | undefined): unknown =>
    formCodec.parse?.(new Uint8Array(), { range: 'multipart/form-data', pointer: '', schema }, 'text/plain');
  expect(parse(compileSchema({ schema: { type: 'string' }, pointer: '' }))).toBeUndefined();
  expect(parse(undefined)).toBeDefined();
});

test('reads no form whose names lead to very many objects', () => {
  const nested = (count: number): string =>
    Array.from({ length: count }, (_, index) => `note[${index}]${'[a]'.repeat(9)}=`).join('&');
  expect(read(nested(2_900))).toMatchObject({ kind: 'value' });
  expect(read(nested(3_000))).toEqual({
    kind: 'malformed',
    reason: expect.stringContaining('30000') as string,
  });
});
