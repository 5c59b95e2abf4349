import { expect, test } from 'vitest';
import { mergeAnswers } from './answers.ts';

test('the answers over others win, question by question', () => {
  const under = { echo: 'none', accept: 406 } as const;
  expect(mergeAnswers(under, { echo: 'exact' })).toEqual({ echo: 'exact', accept: 406 });
});

test('an answer of one operation stands before that of the service', () => {
  const over = { operations: { addBook: { echo: 'exact' } } } as const;
  expect(mergeAnswers({ echo: 'none', operations: { addBook: { accept: 406 } } }, over)).toEqual({
    echo: 'none',
    operations: { addBook: { accept: 406, echo: 'exact' } },
  });
});

test('what is said last of the service is said of each operation', () => {
  const under = {
    operations: { addBook: { echo: 'none' }, addReader: { echo: 'none', accept: 406 } },
  } as const;
  expect(mergeAnswers(under, { echo: 'exact' })).toEqual({
    echo: 'exact',
    operations: { addReader: { accept: 406 } },
  });
});
