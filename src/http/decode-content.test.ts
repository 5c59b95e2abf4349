import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeContent } from './decode-content.ts';

const text = Buffer.from('{"id":1}');

test.each([
  ['gzip', gzipSync(text)],
  ['X-GZIP', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['gzip, identity, br', brotliCompressSync(gzipSync(text))],
])('takes off %s', (coding, content) => {
  expect(Buffer.from(decodeContent([['Content-Encoding', coding]], content)).toString()).toBe('{"id":1}');
});

test.each(['gzip', 'br', 'zstd', 'deflate'])('keeps content as it came that is not in %s', (coding) => {
  expect(decodeContent([['content-encoding', coding]], text)).toBe(text);
});

test('keeps content as it came that has no coding, or would unfold without end', () => {
  expect(decodeContent([], text)).toBe(text);
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024));
  expect(decodeContent([['Content-Encoding', 'gzip']], bomb)).toBe(bomb);
});
