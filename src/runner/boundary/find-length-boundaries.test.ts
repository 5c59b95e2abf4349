import { expect, test } from 'vitest';
import { createTextProber } from '../../../fixtures/create-text-prober.ts';
import { findGreatestLength, findLeastLength } from './text.ts';

const place = '/name';

test.each([
  ['code-points', (text: string) => [...text].length <= 255],
  ['bytes', (text: string) => Buffer.byteLength(text) <= 255],
  ['utf-16', (text: string) => text.length <= 255],
  // With é refused as a character nothing is known of its length.
  ['unknown', (text: string) => text.length <= 255 && !text.includes('é')],
])('counts a limit in %s', async (unit, isTaken) => {
  const prober = createTextProber(isTaken);
  expect(await findGreatestLength({ prober, place, taken: 6, longest: 1_000 })).toEqual({
    what: 'length',
    place,
    accepted: 255,
    refused: 256,
    unit,
  });
});

test.each([
  ['even lengths alone', (text: string) => text.length % 2 === 0],
  ['a hole', (text: string) => text.length !== 500],
  ['everything', () => true],
])('claims no limit where a service takes %s', async (_what, isTaken) => {
  const prober = createTextProber(isTaken);
  expect(await findGreatestLength({ prober, place, taken: 6, longest: 501 })).toBeUndefined();
});

test.each([
  ['what is not empty', (text: string) => text !== '', { what: 'length', accepted: 1, refused: 0 }],
  [
    'three characters and more',
    (text: string) => text.length >= 3,
    { what: 'length', accepted: 3, refused: 2 },
  ],
  ['what is not blank', (text: string) => text.trim() !== '', { what: 'blank' }],
])('finds the least length where a service takes %s', async (_what, isTaken, expected) => {
  const prober = createTextProber(isTaken);
  expect(await findLeastLength({ prober, place, taken: 6 })).toMatchObject(expected);
});
