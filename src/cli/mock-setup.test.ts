import { expect, test } from 'vitest';
import { describeData, readCors } from './mock-setup.ts';

const nothing = {
  source: 'given' as const,
  collections: [],
  added: 0,
  present: 0,
  replaced: 0,
  removed: 0,
  left: [],
  short: [],
};

test('says how many rows are new, and how many were there already', () => {
  expect(describeData(undefined)).toEqual([]);
  expect(describeData(nothing)).toEqual(['The data to start from: no rows.']);
  expect(describeData({ ...nothing, added: 1, present: 2 })).toEqual([
    'The data to start from: 1 row added, 2 rows there already.',
  ]);
});

test('says how many rows came into which collections, those of one name together', () => {
  const collections = [
    { name: '/pets', count: 2 },
    { name: '/pets/1/toys', count: 3 },
    { name: '/pets/2/toys', count: 4 },
  ];
  expect(describeData({ ...nothing, collections, added: 9 })).toEqual([
    'The data to start from: 9 rows added (2 in /pets, 7 in …/toys).',
  ]);
  expect(describeData({ ...nothing, collections, added: 2, present: 7 })).toEqual([
    'The data to start from: 2 rows added, 7 rows there already.',
  ]);
});

test('names the rows that were left out, as far as they are few', () => {
  const row = { collection: '/orders', index: 0, reason: 'its name is taken' };
  const left = [{ ...row, place: 'orders.yaml:2:3' }, ...Array.from({ length: 11 }, () => row)];
  const lines = describeData({ ...nothing, replaced: 1, removed: 1, left });
  expect(lines.slice(0, 3)).toEqual([
    'The data to start from: 1 row replaced, 1 row taken away, 12 rows left out.',
    '  orders.yaml:2:3: its name is taken',
    '  /orders, row 1: its name is taken',
  ]);
  expect(lines.slice(-1)).toEqual(['  and 2 more']);
});

test('names the collections that examples of the document were put into', () => {
  const collections = [
    { name: '/pets', count: 3 },
    { name: '/pets/1/toys', count: 1 },
  ];
  expect(describeData({ ...nothing, source: 'examples', collections, added: 4 })).toEqual([
    "Put in from the document's examples: 3 in /pets, 1 in /pets/1/toys.",
  ]);
});

test('says for which collections too few rows were made up', () => {
  const short = [
    { collection: '/orders', made: 2, wanted: 50, reason: 'alike' },
    { collection: '/shops/{shop}/orders', made: 9999, wanted: 90_000, reason: 'many-nested' },
  ] as const;
  expect(describeData({ ...nothing, added: 2, short })).toEqual([
    'The data to start from: 2 rows added.',
    '  /orders: only 2 of 50 were made up, as no more were found that differ and that it takes',
    '  /shops/{shop}/orders: only 9999 of 90000 were made up, as no more than 10,000 are made up below other items; a smaller --data-count gives each as many',
  ]);
});

test.each([
  [true, [], {}],
  [true, ['http://a', 'http://b'], { origins: ['http://a', 'http://b'] }],
  [false, [], false],
])('cors %s with the origins %j is %j', (cors, origins, expected) => {
  expect(readCors({ cors, 'cors-origin': origins })).toEqual(expected);
});

test('refuses an origin where no page is let in', () => {
  expect(() => readCors({ cors: false, 'cors-origin': ['http://a'] })).toThrow(
    'Failed to read the option "--cors-origin http://a": --no-cors lets no page of another origin in. Leave one of them out.',
  );
});
