import { expect, test } from 'vitest';
import { findMedia, parseMediaType } from './media-type.ts';

test('reads a media type and its parameters, every time alike', () => {
  const read = (): unknown => {
    const { essence, parameters } = parseMediaType('Application/JSON; Charset="utf\\-8"') ?? {};
    return { essence, parameters: [...(parameters ?? [])] };
  };
  const wanted = { essence: 'application/json', parameters: [['charset', 'utf-8']] };
  expect(read()).toEqual(wanted);
  expect(read()).toEqual(wanted);
});

test('refuses what is no media type, every time', () => {
  expect(parseMediaType('json; x')).toBeUndefined();
  expect(parseMediaType('json; x')).toBeUndefined();
});

test('reads each of a thousand', () => {
  const values = Array.from({ length: 1000 }, (_, index) => `text/x-${index}`);
  expect([...values, ...values].map((value) => parseMediaType(value)?.essence)).toEqual([
    ...values,
    ...values,
  ]);
});

const versions = ['application/json;version=1', 'application/json; version="2"'];

test.each<[string, readonly string[], string | undefined]>([
  ['application/json;version=2', versions, 'application/json; version="2"'],
  ['application/json; Version=1; charset=utf-8', versions, 'application/json;version=1'],
  ['application/json', versions, 'application/json;version=1'],
  ['application/json;version=3', versions, undefined],
  ['application/json;version=3', [...versions, 'application/*'], 'application/*'],
  ['application/json', [...versions, 'application/json'], 'application/json'],
  ['application/json;version=2', [...versions, 'application/json'], 'application/json; version="2"'],
  ['application/json;version=2', ['application/json'], 'application/json'],
  ['application/json;charset=utf-8', ['application/json; charset=UTF-8'], 'application/json; charset=UTF-8'],
  ['application/json', ['application/json', 'application/json;charset=utf-8'], 'application/json'],
  ['multipart/form-data;boundary=a', ['multipart/form-data;boundary=b'], 'multipart/form-data;boundary=b'],
  ['text/plain;version=1', versions, undefined],
])('finds for %s among %j the media type %s', (sent, ranges, found) => {
  const declared = ranges.map((range) => ({ range }));
  expect(findMedia(declared, parseMediaType(sent))?.range).toBe(found);
});
