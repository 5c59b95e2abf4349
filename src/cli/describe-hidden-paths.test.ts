import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { describeHiddenPaths } from './commands/run-mock.ts';

const responses = { 200: { description: 'There.' } };
const contract = contractOf({
  paths: {
    '/__cloche/{id}': { get: { responses }, delete: { responses } },
    '/__clocher': { get: { responses } },
  },
});

test('names each path that the control interface stands before', () => {
  expect(describeHiddenPaths(contract, {})).toEqual([
    'Requests to /__cloche/{id} go to the control interface; --no-control leaves them to the document.',
  ]);
});

test('says nothing where there is no control interface', () => {
  expect(describeHiddenPaths(contract, false)).toEqual([]);
});
