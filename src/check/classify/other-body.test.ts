import { expect, test } from 'vitest';
import { findCodec } from '../../http/codecs/registry.ts';
import { essenceOf } from '../../http/media-type.ts';
import { sampleFile } from '../../http/sample-files.ts';
import type { JsonObject } from '../../json/value.ts';
import { compileSchema } from '../../schema/compile.ts';
import { readBody } from './body.ts';
import { foreignFile, separateFiles } from './other-body.ts';
import type { ClassifiedBody } from './subject.ts';

const properties = {
  name: { type: 'string', minLength: 1 },
  age: { type: 'integer', minimum: 0 },
  isPet: { type: 'boolean' },
  tags: { type: 'array', items: { type: 'string' } },
  nick: { type: ['integer', 'null'] },
};

function read(range: string, content: string, schema: JsonObject | undefined): ClassifiedBody {
  const media = {
    range,
    codec: findCodec(essenceOf(range)),
    schema: schema && compileSchema({ schema, pointer: '' }),
    examples: [],
    pointer: '',
  };
  const body = Buffer.from(content);
  return readBody(
    { method: 'POST', target: '/', headers: [['Content-Type', range]], body },
    { pointer: '', required: true, media: [media] },
  );
}

const form = (content: string, ...required: string[]): ClassifiedBody =>
  read('application/x-www-form-urlencoded', content, { type: 'object', required, properties });

const kindOf = (reading: ClassifiedBody): string =>
  reading.kind === 'valid' ? `valid ${reading.grade.kind}` : reading.kind;

test.each([
  ['name=Rex&age=5&isPet=true', 'valid plain'],
  ['tags=Red&tags=Blue', 'valid plain'],
  ['name=a%20b%0A', 'valid extreme'],
  ['age=five', 'invalid'],
  ['age=-1', 'invalid'],
  ['age=1.5', 'invalid'],
  ['name=', 'valid ambiguous'],
  ['age=5.0', 'valid ambiguous'],
  // Services differ in how they read these.
  ['isPet=1', 'valid ambiguous'],
  ['isPet=0', 'valid ambiguous'],
  ['isPet=maybe', 'invalid'],
  ['age=', 'valid ambiguous'],
  ['age=&isPet=1', 'valid ambiguous'],
  ['age=&isPet=maybe', 'invalid'],
  ['', 'valid ambiguous'],
])('the form %j is %s', (content, expected) => {
  expect(kindOf(form(content))).toBe(expected);
});

test.each([
  ['age', 'invalid'],
  // No form tells these from an empty list and null.
  ['tags', 'valid ambiguous'],
  ['nick', 'valid ambiguous'],
])('a form without the required field %s is %s', (name, expected) => {
  expect(kindOf(form('name=Rex', 'name', name))).toBe(expected);
});

test('shows the value that was read of a form', () => {
  expect(form('age=5&tags=Red')).toMatchObject({ value: { age: 5, tags: ['Red'] } });
});

test('leaves a multipart form without its boundary unjudged', () => {
  expect(kindOf(read('multipart/form-data', '{}', { type: 'object' }))).toBe('unjudged');
});

test.each<[string, string, JsonObject | undefined, string]>([
  ['text/plain', 'memo', { type: 'string' }, 'valid plain'],
  ['text/plain', '5', { type: 'integer' }, 'valid plain'],
  ['application/octet-stream', 'bytes', undefined, 'valid plain'],
  // Few services validate a text.
  ['text/plain', 'memo', { type: 'string', maxLength: 3 }, 'unjudged'],
  ['text/plain', '', { type: 'string' }, 'unjudged'],
  ['text/csv', 'a,b', { type: 'string' }, 'unjudged'],
])('%s %j of %j is %s', (range, content, schema, expected) => {
  expect(kindOf(read(range, content, schema))).toBe(expected);
});

test.each([
  ['name,age\r\nRex,5\r\n', 'valid plain'],
  ['name,age\r\nRex,five\r\n', 'invalid'],
  ['age\r\n5\r\n', 'invalid'],
  // Services differ in how they read these.
  ['name,age\r\nRex,\r\n', 'valid ambiguous'],
  ['name,isPet\r\nRex,1\r\n', 'unjudged'],
  ['name,age\r\nRex\r\n', 'unjudged'],
  ['name\r\n"Rex', 'unjudged'],
])('the table %j is %s', (content, expected) => {
  const { tags: _tags, ...flat } = properties;
  const items = { type: 'object', required: ['name'], properties: flat };
  expect(kindOf(read('text/csv', content, { type: 'array', items }))).toBe(expected);
});

test('separates files from other values, and says which are unusual', () => {
  const binary = { type: 'string', format: 'binary' };
  const schema = { properties: { scan: binary, photo: binary, scans: { type: 'array', items: binary } } };
  const media = {
    range: 'multipart/form-data',
    codec: findCodec('multipart/form-data'),
    schema: compileSchema({ schema, pointer: '' }),
    encoding: new Map([['photo', { contentType: 'image/png' }]]),
    examples: [],
    pointer: '',
  };
  const usual = { name: 'Rex', scan: 'abc', photo: sampleFile('image/png') ?? '', scans: ['abc', 'abc'] };
  expect(separateFiles(media, usual)).toEqual([{ name: 'Rex' }, []]);
  const [, mutations] = separateFiles(media, { scan: '', photo: 'abc', scans: ['abc', '\0'] });
  expect(mutations).toEqual([
    { place: '/scan', words: 'an unusual file' },
    { place: '/photo', words: foreignFile },
    { place: '/scans', words: 'an unusual file' },
  ]);
});
