import { expect, test } from 'vitest';
import type { Boundary } from '../../check/boundary.ts';
import { answerOfBoundary } from './answer-of-boundary.ts';

const place = '/note' as const;
const rows: readonly (readonly [Boundary, unknown])[] = [
  [
    { what: 'length', place, accepted: 255, refused: 256, unit: 'code-points' },
    { question: 'constraints', answer: { note: { maxLength: 255 } } },
  ],
  [
    { what: 'length', place, accepted: 1, refused: 0, unit: 'unknown' },
    { question: 'constraints', answer: { note: { minLength: 1 } } },
  ],
  [{ what: 'length', place, accepted: 255, refused: 256, unit: 'bytes' }, undefined],
  [
    { what: 'value', place, accepted: '2147483647', refused: '2147483648' },
    { question: 'constraints', answer: { note: { maximum: 2_147_483_647 } } },
  ],
  [
    { what: 'repeated', place, refused: 'a' },
    { question: 'unique-properties', answer: ['note'] },
  ],
  [
    { what: 'body-size', place: '', accepted: 1_024, refused: 1_025 },
    { question: 'body-limit', answer: { bytes: 1_024, status: 413 } },
  ],
  [{ what: 'items', place: '/list/*', accepted: 1, refused: 2 }, undefined],
];

test.each(rows)('says %j as a policy does', (boundary, answer) => {
  expect(answerOfBoundary(boundary, 413)).toEqual(answer);
});

test('the pattern against white space at the ends takes a text without it alone', () => {
  const found = answerOfBoundary(
    { what: 'white-space', place, at: 'either end', accepted: 'a b', refused: ' a' },
    400,
  );
  expect(found?.answer).toEqual({ note: { pattern: '^(?!\\s)[\\s\\S]*(?<!\\s)$' } });
  const pattern = new RegExp('^(?!\\s)[\\s\\S]*(?<!\\s)$', 'u');
  expect(['a b', '', ' a', 'a '].map((text) => pattern.test(text))).toEqual([true, true, false, false]);
});
