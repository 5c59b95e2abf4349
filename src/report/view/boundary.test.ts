import { expect, test } from 'vitest';
import type { Boundary } from '../../check/boundary.ts';
import { renderBoundary } from './boundary.ts';

const length = { what: 'length', place: '/name', unit: 'code-points' } as const;

test.each<[Boundary, string]>([
  [{ ...length, accepted: 255, refused: 256 }, 'name longer than 255 characters'],
  [{ ...length, unit: 'bytes', accepted: 255, refused: 256 }, 'name longer than 255 bytes in UTF-8'],
  [{ ...length, unit: 'utf-16', accepted: 100, refused: 101 }, 'name longer than 100 units of UTF-16'],
  [{ ...length, accepted: 1, refused: 0 }, 'name shorter than 1 character'],
  [
    { what: 'value', place: '/id', accepted: '2147483647', refused: '2147483648' },
    'id above 2147483647 (the largest number of 32 bits)',
  ],
  [{ what: 'value', place: '/id', accepted: '1', refused: '0' }, 'id below 1'],
  [{ what: 'items', place: '/lines', accepted: 1, refused: 0 }, 'lines with fewer than 1 item'],
  [
    { what: 'items', place: '/lines/*/tags', accepted: 9, refused: 10 },
    'lines[].tags with more than 9 items',
  ],
  [{ what: 'body-size', place: '', accepted: 102_400, refused: 102_401 }, 'body larger than 102,400 bytes'],
  [{ what: 'repeated', place: '/name', refused: 'a' }, 'name that was accepted before (it has to be unique)'],
  [{ what: 'blank', place: '/name', accepted: 'a', refused: '' }, 'name empty, or of white space alone'],
  [
    { what: 'white-space', place: '/name', at: 'end', accepted: 'a a', refused: 'a ' },
    'name with trailing white space',
  ],
])('%j is told in words', (boundary, words) => {
  expect(renderBoundary(boundary)).toBe(words);
});
