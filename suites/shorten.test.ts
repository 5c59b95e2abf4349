import { expect, test } from 'vitest';
import { asShort, shorten } from './shorten.ts';

/** Shortens a list as long as it contains some letters; returns the shortest list and the number of tried ones. */
function search(text: string, needed: string): { readonly shortest: string; readonly tries: number } {
  let steps: readonly string[] = [...text];
  let tries = 0;
  const fails = (list: readonly string[]): boolean => [...needed].every((letter) => list.includes(letter));
  for (let found: readonly string[] | undefined = steps; found !== undefined;) {
    steps = found;
    found = undefined;
    for (const shorter of shorten(steps)) {
      tries += 1;
      if (!fails(shorter)) continue;
      found = shorter;
      break;
    }
  }
  return { shortest: steps.join(''), tries };
}

test('leaves out everything that is not needed, with few tries', () => {
  expect(search('abcdefghijklmnopqrstuvwxyz', 'cx')).toEqual({ shortest: 'cx', tries: 18 });
  expect(search('abcdefghijklmnopqrstuvwxyz', 'a').shortest).toBe('a');
  expect(search('ab', 'ab')).toEqual({ shortest: 'ab', tries: 2 });
});

test('tries to leave out the second half first', () => {
  expect([...shorten([1, 2, 3, 4])]).toEqual([
    [1, 2],
    [3, 4],
    [1, 2, 3],
    [1, 2, 4],
    [1, 3, 4],
    [2, 3, 4],
  ]);
});

test('does not shorten a list again whose steps alone were changed', () => {
  expect([...shorten(asShort(['a', 'b']))]).toEqual([]);
});
