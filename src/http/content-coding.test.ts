import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeContent } from './content-coding.ts';
import type { HttpResponse } from './message.ts';

const text = Buffer.from('{"id":1}');

function responseOf(body: Uint8Array, coding?: string): HttpResponse {
  return { status: 200, headers: coding === undefined ? [] : [['Content-Encoding', coding]], body };
}

const mostBytes = 1_000_000;

test.each([
  ['gzip', gzipSync(text)],
  ['X-GZIP', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['gzip, identity, br', brotliCompressSync(gzipSync(text))],
])('takes off %s', (coding, content) => {
  const { body, undecoded } = decodeContent(responseOf(content, coding), mostBytes);
  expect(Buffer.from(body).toString()).toBe('{"id":1}');
  expect(undecoded).toBeUndefined();
});

test.each([
  ['gzip', text, { coding: 'gzip', reason: 'broken' }],
  ['gzip', gzipSync(text).subarray(0, -4), { coding: 'gzip', reason: 'broken' }],
  ['br', text, { coding: 'br', reason: 'broken' }],
  ['deflate', text, { coding: 'deflate', reason: 'broken' }],
  ['gzip, br', brotliCompressSync(text), { coding: 'gzip', reason: 'broken' }],
  ['ZSTD', text, { coding: 'zstd', reason: 'unknown' }],
])('keeps content as it came that cannot be taken out of %s, and says so', (coding, content, undecoded) => {
  const response = responseOf(content, coding);
  expect(decodeContent(response, mostBytes)).toEqual({ ...response, undecoded });
});

test.each([
  ['no coding', text, undefined],
  ['the coding that is none', text, 'identity'],
  ['an empty coding', text, ''],
  ['no content', new Uint8Array(), 'gzip'],
])('finds no fault in %s', (_, content, coding) => {
  const response = responseOf(content, coding);
  expect(decodeContent(response, mostBytes)).toEqual(response);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
])('cuts %s that would unfold without end', (coding, compress) => {
  const bomb = compress(Buffer.alloc(65 * 1024 * 1024));
  const { body, undecoded, cutAfter } = decodeContent(responseOf(bomb, coding), 1_000_000);
  expect([undecoded, cutAfter]).toEqual([undefined, 1_000_000]);
  expect([...body]).toEqual([...bomb.subarray(0, body.length)]);
});

test('takes off no more codings than anybody sends', () => {
  const content = Array.from({ length: 6 }).reduce<Uint8Array>((inner) => gzipSync(inner), text);
  const { body, undecoded } = decodeContent(responseOf(content, 'gzip, '.repeat(6).slice(0, -2)), mostBytes);
  expect([body, undecoded?.reason]).toEqual([content, 'unknown']);
});
