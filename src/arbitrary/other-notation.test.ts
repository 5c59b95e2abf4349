import { expect, test } from 'vitest';
import { latin1Text } from '../http/bytes.ts';
import type { PropertyEncoding } from '../http/codecs/codec.ts';
import { findCodec } from '../http/codecs/registry.ts';
import { essenceOf } from '../http/media-type.ts';
import { sampleFile } from '../http/sample-files.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { compileSchema } from '../schema/compile.ts';
import { createNotationWriter, type NotationWriter } from './other-notation.ts';

const integers = { type: 'array', items: { type: 'integer' } };
const texts = { type: 'array', items: { type: 'string' } };
const point = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } } };

function writerOf(
  range: string,
  schema: JsonObject | undefined,
  encoding: Record<string, PropertyEncoding> = {},
): NotationWriter {
  const writer = createNotationWriter({
    range,
    codec: findCodec(essenceOf(range)),
    schema: schema && compileSchema({ schema, pointer: '' }),
    encoding: new Map(Object.entries(encoding)),
    examples: [],
    pointer: '',
  });
  if (writer === undefined) throw new Error('no writer');
  return writer;
}

const urlEncoded = (properties: JsonObject, encoding?: Record<string, PropertyEncoding>): NotationWriter =>
  writerOf('application/x-www-form-urlencoded', { type: 'object', properties }, encoding);
const multipart = (properties: JsonObject, encoding?: Record<string, PropertyEncoding>): NotationWriter =>
  writerOf('multipart/form-data', { type: 'object', properties }, encoding);

test.each<[JsonObject, PropertyEncoding | undefined, JsonValue, string]>([
  [{ type: 'string' }, undefined, 'a b&c=d', 'p=a%20b%26c%3Dd'],
  [{ type: 'integer' }, undefined, 5, 'p=5'],
  [integers, undefined, [1, 2], 'p=1&p=2'],
  [integers, { explode: false }, [1, 2], 'p=1,2'],
  [texts, { style: 'pipeDelimited' }, ['a|b', 'c'], 'p=a%7Cb%7Cc'],
  [texts, { style: 'spaceDelimited', explode: false }, ['a', 'b'], 'p=a%20b'],
  [integers, { contentType: 'application/json' }, [1, 2], 'p=%5B1%2C2%5D'],
  [point, undefined, { x: 1 }, 'p={%22x%22%3A1}'],
  [point, { style: 'deepObject' }, { x: 1, y: 2 }, 'p%5Bx%5D=1&p%5By%5D=2'],
  [point, { style: 'form' }, { x: 1, y: 2 }, 'x=1&y=2'],
  [point, { explode: false }, { x: 1, y: 2 }, 'p=x,1,y,2'],
  [{ type: 'string' }, undefined, '\ud800', 'p=%EF%BF%BD'],
  // These have no notation.
  [{ type: ['string', 'null'] }, undefined, null, ''],
  [integers, undefined, [], ''],
])('writes %j with the encoding %j and the value %j as %s', (schema, encoding, value, expected) => {
  const writer = urlEncoded({ p: schema }, encoding === undefined ? {} : { p: encoding });
  expect(latin1Text(writer.write({ p: value }))).toBe(expected);
});

test.each<[JsonObject, PropertyEncoding | undefined, JsonValue]>([
  [integers, undefined, [1, 2]],
  [integers, { explode: false }, [1, 2]],
  [texts, { style: 'pipeDelimited' }, ['a', 'b']],
  [integers, { contentType: 'application/json' }, [1, 2]],
  [point, undefined, { x: 1 }],
  [point, { style: 'deepObject' }, { x: 1, y: 2 }],
  [point, { explode: false }, { x: 1, y: 2 }],
  [{ type: 'array', items: point }, undefined, [{ x: 1 }, { y: 2 }]],
  [{ type: 'string' }, undefined, 'é\r\n--"'],
  [{ type: 'boolean' }, undefined, true],
])('reads %j with the encoding %j and the value %j back', (schema, encoding, value) => {
  const encodings = encoding === undefined ? {} : { p: encoding };
  expect(urlEncoded({ p: schema }, encodings).readBack({ p: value })).toEqual({ p: value });
  expect(multipart({ p: schema }, encodings).readBack({ p: value })).toEqual({ p: value });
});

test('reads a text back as the number that a service reads', () => {
  expect(urlEncoded({ age: { type: 'integer' } }).readBack({ age: '5' })).toEqual({ age: 5 });
});

test('writes files, JSON and texts as parts', () => {
  const writer = multipart({
    photo: { type: 'string', format: 'binary' },
    'na"me': { type: 'string' },
    place: point,
  });
  expect(writer.contentType).toBe('multipart/form-data; boundary=cloche-boundary');
  const content = writer.write({ photo: '\u0000\u00ff', 'na"me': 'ÿ', place: { x: 1 } });
  expect(latin1Text(content).split('\r\n')).toEqual([
    '--cloche-boundary',
    'Content-Disposition: form-data; name="photo"; filename="file.bin"',
    'Content-Type: application/octet-stream',
    '',
    '\u0000\u00ff',
    '--cloche-boundary',
    'Content-Disposition: form-data; name="na%22me"',
    '',
    'Ã¿',
    '--cloche-boundary',
    'Content-Disposition: form-data; name="place"',
    'Content-Type: application/json',
    '',
    '{"x":1}',
    '--cloche-boundary--',
    '',
  ]);
});

test('puts a picture in the place of a text that stands for one', () => {
  const photo = { type: 'string', format: 'binary' };
  const png = sampleFile('image/png');
  const encoding = { photo: { contentType: 'image/png' }, photos: { contentType: 'image/png' } };
  const writer = multipart({ photo, photos: { type: 'array', items: photo } }, encoding);
  const completed = writer.complete({ photo: 'text', photos: ['a', 'b'], other: 'text' });
  expect(completed).toEqual({ photo: png, photos: [png, png], other: 'text' });
  expect(writer.readBack(completed)).toEqual(completed);
  // The schema allows no file of this length.
  const bounded = multipart({ photo: { ...photo, maxLength: 4 } }, encoding);
  expect(bounded.complete({ photo: 'text' })).toEqual({ photo: 'text' });
});

test.each<[string, JsonObject | undefined, JsonValue, string]>([
  ['text/plain', { type: 'string' }, 'é', 'Ã©'],
  ['text/plain', { type: 'integer' }, 5, '5'],
  ['application/octet-stream', undefined, '\u0000\u00ff', '\u0000\u00ff'],
])('writes %s under %j', (range, schema, value, expected) => {
  const writer = writerOf(range, schema);
  expect(latin1Text(writer.write(value))).toBe(expected);
  expect(writer.readBack(value)).toEqual(value);
});

test('writes text and a form without a schema', () => {
  expect(writerOf('application/octet-stream', undefined).complete({})).toBe('text');
  expect(writerOf('multipart/form-data', undefined).complete(null)).toEqual({ text: 'text' });
});

test('writes no JSON, and no form of a list', () => {
  const media = {
    range: 'application/json',
    codec: findCodec('application/json'),
    schema: undefined,
    examples: [],
    pointer: '',
  };
  expect(createNotationWriter(media)).toBeUndefined();
  expect(() => writerOf('multipart/form-data', integers)).toThrow('no writer');
});
