import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sampleFile } from './sample-files.ts';

const bytesOf = (contentType: string): Buffer => Buffer.from(sampleFile(contentType) ?? '', 'latin1');

test.each([
  ['application/pdf', /^255044462d/u],
  ['application/zip', /^504b0304/u],
  ['image/gif', /^47494638/u],
  ['image/jpeg', /^ffd8ff.*ffd9$/u],
  ['image/png', /^89504e470d0a1a0a/u],
  ['image/webp; q=1', /^52494646.{8}57454250/u],
  ['IMAGE/SVG+XML', /^3c737667/u],
])('has a small file of %s', (contentType, signature) => {
  const bytes = bytesOf(contentType);
  expect(bytes.toString('hex')).toMatch(signature);
  expect(bytes.length).toBeLessThan(600);
});

test.each(['image/avif', 'application/octet-stream', 'text/plain', ''])(
  'has no file of %j',
  (contentType) => {
    expect(sampleFile(contentType)).toBeUndefined();
  },
);

test('has a picture with all of its dots', () => {
  const png = bytesOf('image/png');
  const data = png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8);
  expect(inflateSync(data)).toHaveLength(8 * (1 + 8 * 3));
});

test('has a page whose objects are where its table says', () => {
  const pdf = bytesOf('application/pdf').toString('latin1');
  const offsets = [...pdf.matchAll(/^(\d{10}) 00000 n/gmu)].map(([, offset]) => Number(offset));
  expect(offsets.map((offset) => pdf.slice(offset, offset + 7))).toEqual(
    [1, 2, 3, 4].map((number) => `${number} 0 obj`),
  );
  expect(pdf.slice(Number(/startxref\n(\d+)/u.exec(pdf)?.[1])).startsWith('xref')).toBe(true);
});
