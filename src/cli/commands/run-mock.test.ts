import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { describeControl, describeHiddenPaths } from './run-mock.ts';

const here = { url: 'http://127.0.0.1:1', isOpenToOthers: false };
const everywhere = { url: 'http://0.0.0.0:1', isOpenToOthers: true };

test.each([
  ['nothing where only this machine reaches it', here, {}, ''],
  ['nothing where there is none', everywhere, false, ''],
  ['that a token is missing', everywhere, {}, 'it takes a --control-token'],
  [
    'that a token is wanted, and not which',
    everywhere,
    { token: 'hush' },
    'whoever sends the control token.',
  ],
] as const)('says %s', (_name, place, control, words) => {
  const said = describeControl(place, control).join();
  expect([said.includes(words), said === '', said.includes('hush')]).toEqual([true, words === '', false]);
});

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
