import { expect, test } from 'vitest';
import type { PropertyEncoding } from '../http/codecs/codec.ts';
import type { JsonObject } from '../json/value.ts';
import { compileSchema } from '../schema/compile.ts';
import { firstMediaType, formFiles } from './form-files.ts';

function filesOf(
  properties: JsonObject,
  encoding: Record<string, PropertyEncoding> = {},
  range = 'multipart/form-data',
): Record<string, string> {
  const media = {
    range,
    schema: compileSchema({ schema: { type: 'object', properties }, pointer: '' }),
    encoding: new Map(Object.entries(encoding)),
    pointer: '',
  };
  return Object.fromEntries(formFiles(media));
}

test.each<[JsonObject, PropertyEncoding | undefined, string | undefined]>([
  [{ type: 'string', format: 'binary' }, undefined, 'application/octet-stream'],
  [{ type: 'string', format: 'binary' }, { contentType: 'image/png, image/jpeg' }, 'image/png'],
  [{ type: 'array', items: { type: 'string', format: 'binary' } }, undefined, 'application/octet-stream'],
  [{ contentMediaType: 'application/pdf' }, undefined, 'application/pdf'],
  [{ type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' }, undefined, undefined],
  [{ type: 'string', format: 'byte' }, { contentType: 'image/png' }, undefined],
  [{}, { contentType: 'image/*' }, 'image/png'],
  [{ type: 'string' }, undefined, undefined],
  [{ type: 'string' }, { contentType: 'text/csv' }, undefined],
  [{ type: 'object' }, { contentType: 'application/xml' }, undefined],
  [{ type: 'integer' }, { contentType: 'application/octet-stream' }, undefined],
])('a property %j with the encoding %j is a file of %j', (schema, encoding, expected) => {
  const files = filesOf({ part: schema }, encoding === undefined ? {} : { part: encoding });
  expect(files).toEqual(expected === undefined ? {} : { part: expected });
});

test('a URL-encoded form has no files', () => {
  const binary = { type: 'string', format: 'binary' };
  expect(filesOf({ part: binary }, {}, 'application/x-www-form-urlencoded')).toEqual({});
});

test.each([
  ['text/plain; charset=utf-8, text/csv', 'text/plain; charset=utf-8'],
  ['*/*', 'application/octet-stream'],
  ['video/*', 'video/mp4'],
])('%s begins with %s', (list, expected) => {
  expect(firstMediaType(list)).toBe(expected);
});
