import { expect, test } from 'vitest';
import { gradeBody, undeclaredProperty } from './body.ts';

const shapes = {
  oneOf: [
    { required: ['radius'], properties: { radius: { type: 'number' } } },
    { required: ['side'], properties: { side: { type: 'number' } } },
  ],
};

test('takes what only a branch declares for declared', () => {
  expect(gradeBody({ value: { side: 3 }, schema: shapes, spelledPlainly: true })).toEqual({ kind: 'plain' });
});

test('takes what no branch declares for undeclared', () => {
  expect(gradeBody({ value: { side: 3, extra: [] }, schema: shapes, spelledPlainly: true })).toEqual({
    kind: 'extreme',
    oddities: [{ place: '/extra', words: undeclaredProperty }],
  });
});
