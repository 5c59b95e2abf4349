import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { jsonCodec } from '../../http/codecs/registry.ts';
import { compileSchema } from '../../schema/compile.ts';
import { gradeBody, readBody, undeclaredProperty } from './body.ts';

const shapes = {
  oneOf: [
    { required: ['radius'], properties: { radius: { type: 'number' } } },
    { required: ['side'], properties: { side: { type: 'number' } } },
  ],
};

test('takes what only a branch declares for declared', () => {
  expect(gradeBody({ side: 3 }, shapes)).toEqual({ kind: 'plain' });
});

test('takes what no branch declares for undeclared', () => {
  expect(gradeBody({ side: 3, extra: [] }, shapes)).toEqual({
    kind: 'extreme',
    mutations: [{ place: '/extra', words: undeclaredProperty }],
  });
});

const schema = compileSchema({
  pointer: '',
  schema: {
    properties: {
      id: { type: 'integer', format: 'int64' },
      price: { type: 'number' },
      contact: { type: 'string', format: 'email' },
    },
  },
});

test.each([
  ['{"id":1}', undefined],
  ['{"id":9223372036854775807}', undefined],
  // Only where an integer is asked for does its notation matter.
  ['{"price":2.0}', undefined],
  ['{"id":2.0}', ['integer-notation']],
  ['{"id":9223372036854775808}', ['int64-range']],
  ['{"id":1e19}', ['int64-range', 'integer-notation']],
  ['{"contact":"nobody"}', []],
  ['{"contact":"nobody","id":9223372036854775808}', []],
  ['{"price":-0}', []],
  [String.raw`{"other":"\ud800"}`, []],
  ['{"id":1,"id":2}', ['duplicate-keys-in-json']],
] as const)('%s is ambiguous because of %j', (text, expected) => {
  const media = { range: 'application/json', codec: jsonCodec, schema, examples: [], pointer: '' };
  const reading = readBody(
    { method: 'POST', target: '/', headers: [['Content-Type', media.range]], body: Buffer.from(text) },
    { pointer: '', required: true, media: [media] },
  );
  const grade = reading.kind === 'valid' ? reading.grade : undefined;
  expect(grade?.kind === 'ambiguous' ? grade.questions : undefined).toEqual(expected);
});

test('judges no content in a coding', () => {
  const headers = [
    ['Content-Type', 'application/json'],
    ['Content-Encoding', 'gzip'],
  ] as const;
  const media = { range: 'application/json', codec: jsonCodec, schema, examples: [], pointer: '' };
  const request = { method: 'POST', target: '/', headers, body: gzipSync('{"id":1}') };
  expect(readBody(request, { pointer: '', required: true, media: [media] }).kind).toBe('unjudged');
});
