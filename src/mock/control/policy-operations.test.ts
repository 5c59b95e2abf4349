import { expect, test } from 'vitest';
import { mergePolicyChange } from './policy-operations.ts';

const given = {
  'duplicate-key': 'conflict',
  echo: 'none',
  operations: { createOrder: { 'duplicate-key': 'refuse', accept: 406 }, createCart: { accept: 406 } },
} as const;

test('keeps what the change does not name', () => {
  expect(mergePolicyChange(given, {})).toEqual(given);
  expect(mergePolicyChange(given, { answers: { accept: null } })).toEqual(given);
});

test('takes an answer up, and the one of each operation with it', () => {
  expect(mergePolicyChange(given, { answers: { 'duplicate-key': 'replace' } })).toEqual({
    'duplicate-key': 'replace',
    echo: 'none',
    operations: { createOrder: { accept: 406 }, createCart: { accept: 406 } },
  });
});

test('takes an answer back', () => {
  expect(mergePolicyChange(given, { answers: { echo: null } })).toEqual({
    'duplicate-key': 'conflict',
    operations: given.operations,
  });
});

test('changes the answers of one operation', () => {
  const change = { operations: { createOrder: { accept: null, echo: 'exact' }, createCart: null } } as const;
  expect(mergePolicyChange(given, change)).toEqual({
    'duplicate-key': 'conflict',
    echo: 'none',
    operations: { createOrder: { 'duplicate-key': 'refuse', echo: 'exact' } },
  });
});

test('leaves no operation without an answer', () => {
  const change = { operations: { createCart: { accept: null }, createOrder: null } } as const;
  expect(mergePolicyChange(given, change).operations).toEqual({});
});
