import { expect, test } from 'vitest';
import type { Operation } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { explainKeyword, explainOperation, explainUnseenResponse } from './explain.ts';

const tally = { pointer: '/a/type', keyword: 'type', of: 'body', met: 1, broken: 0 } as const;

test('calls it good where the service never failed', () => {
  expect(explainUnseenResponse({ status: { kind: 'exact', status: 500 } })).toContain('as it should be');
  expect(explainUnseenResponse({ status: { kind: 'range', hundreds: 5 } })).toContain('as it should be');
});

async function findTemplated(): Promise<Operation> {
  const contract = await loadContract('fixtures/documents/parameters.yaml', { followReferences: false });
  const operation = contract.operations.find(({ parameters }) =>
    parameters.some(({ in: place }) => place === 'path'),
  );
  if (operation === undefined) throw new Error('No operation has a parameter in its path');
  return operation;
}

test('says why nothing was sent to an operation, where that is known', async () => {
  const seen = { requests: 0, accepted: 0, isNeverFound: false };
  expect(explainOperation(await findTemplated(), seen, 'no value fits')).toBe('not sent: no value fits');
  expect(explainOperation(await findTemplated(), seen, undefined)).toBe(
    'not sent: no property of this run sends requests to it',
  );
});

test('names the parameter that a value is wanted for where an operation only answers 404', async () => {
  const seen = { requests: 9, accepted: 0, isNeverFound: true };
  expect(explainOperation(await findTemplated(), seen, undefined)).toBe(
    'it only ever answered 404: give shopId an enum in the document, of what exists',
  );
});

test('says nothing of a keyword that was met and broken, or that no answer broke', () => {
  expect(explainKeyword({ ...tally, broken: 1 })).toBeUndefined();
  expect(explainKeyword({ ...tally, of: 'response' })).toBeUndefined();
});

test('knows that a parameter that is a text cannot be anything else', () => {
  expect(explainKeyword({ ...tally, of: 'parameter', value: 'string' })).toBe(
    'any text reads as a value of this type',
  );
});
