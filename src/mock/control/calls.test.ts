import { expect, test } from 'vitest';
import { readControlError, toControlTarget } from './calls.ts';

test('makes the target of a call from the path and the query', () => {
  expect(toControlTarget('getState', {})).toEqual({ method: 'GET', target: '/state' });
  expect(toControlTarget('putSnapshot', { name: '$& ü/1' })).toEqual({
    method: 'PUT',
    target: '/snapshots/%24%26%20%C3%BC%2F1',
  });
  const page = { collection: '/a b', offset: 0, limit: undefined };
  expect(toControlTarget('listResources', page)).toEqual({
    method: 'GET',
    target: '/state/resources?collection=%2Fa%20b&offset=0',
  });
});

test('reads the sentence and the rows of a refusal, and nothing from other JSON', () => {
  const row = { collection: '/a', index: 0, reason: 'no' };
  expect(readControlError({ code: 422, message: 'No.', rows: [row] })).toEqual({
    code: 422,
    message: 'No.',
    rows: [row],
  });
  expect(readControlError([1])).toEqual({ code: undefined, message: undefined, rows: [] });
  expect(readControlError({ message: 1, rows: 'x' })).toEqual({
    code: undefined,
    message: undefined,
    rows: [],
  });
});
