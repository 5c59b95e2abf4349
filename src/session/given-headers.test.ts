import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { otherCredentials, setGivenHeaders } from './given-headers.ts';

const contract = contractOf({
  paths: {
    '/stock': {
      get: {
        parameters: [
          { name: 'X-Region', in: 'header', required: true, schema: { type: 'integer' } },
          { name: 'X-Other', in: 'header', schema: { type: 'string' } },
          { name: 'page', in: 'query', schema: { type: 'string' } },
        ],
        responses: { '200': { description: '' } },
      },
    },
  },
});
const [operation] = contract.operations;

test('sets a declared header parameter, in any case, in place of a generated value', () => {
  const headers = [
    ['Accept', '*/*'],
    ['X-Region', '0'],
  ] as const;
  expect(setGivenHeaders(headers, operation, [['x-region', '7']])).toEqual([
    ['Accept', '*/*'],
    ['x-region', '7'],
  ]);
});

test('adds a declared header parameter that a case leaves out', () => {
  expect(setGivenHeaders([], operation, [['X-Region', '7']])).toEqual([['X-Region', '7']]);
});

test('keeps an invalid value of a header parameter', () => {
  const headers = [['X-Region', 'text']] as const;
  expect(setGivenHeaders(headers, operation, [['X-Region', '7']])).toEqual(headers);
});

test('adds no header that the operation does not declare', () => {
  expect(setGivenHeaders([], operation, [['page', '7']])).toEqual([]);
  expect(setGivenHeaders([], undefined, [['X-Region', '7']])).toEqual([]);
});

test('lists given fields that carry credentials, but not tokens against forged requests', () => {
  const givenHeaders = [
    ['X-Api-Key', 'k3y'],
    ['X-CSRF-Token', 'c5rf'],
    ['X-XSRF-TOKEN', 'x5rf'],
    ['X-Region', '7'],
  ] as const;
  expect(otherCredentials({ contract, givenHeaders })).toEqual(['X-Api-Key']);
});
