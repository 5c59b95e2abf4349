import { expect, test } from 'vitest';
import { rememberByReading } from './compile.ts';

const readings = (['assert', 'strings', 'ignore'] as const).flatMap((formats) =>
  (['by-value', 'digits'] as const).map((integers) => ({ formats, integers })),
);

test('makes one thing for each reading, and gives the same one again', () => {
  const remembered = rememberByReading((reading) => ({ reading }));
  const first = readings.map((reading) => remembered({ ...reading }));
  expect(first.map(({ reading }) => reading)).toEqual(readings);
  expect(readings.map((reading) => remembered({ ...reading }))).toEqual(first);
  expect(new Set([...first, ...readings.map(remembered)]).size).toBe(readings.length);
});

test('tries again where making one failed', () => {
  let calls = 0;
  const remembered = rememberByReading((): object => {
    calls += 1;
    throw new Error('unusable');
  });
  const ask = (): object => remembered({ formats: 'ignore', integers: 'digits' });
  expect(ask).toThrow('unusable');
  expect(ask).toThrow('unusable');
  expect(calls).toBe(2);
});
