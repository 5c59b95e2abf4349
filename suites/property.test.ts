import { expect, test } from 'vitest';
import type { KeyPlaceholder } from '../src/arbitrary/request-case.ts';
import { buildRequest, hasValidBody } from '../src/arbitrary/request.ts';
import type { Operation } from '../src/contract/contract.ts';
import { loadContract } from '../src/contract/load.ts';
import { simplifySequence } from './property.ts';

const contract = await loadContract(undefined, { followReferences: false });
const create = contract.operations.find(({ kind }) => kind.kind === 'create');

function send(operation: Operation, variant: KeyPlaceholder['variant']) {
  const slot: KeyPlaceholder = { slot: 0, class: 'past-double', variant };
  return buildRequest(operation, { body: ['{"name":"veO","tag":"nVL","id":', slot, '}'] });
}

test('tries each request alone before it makes several smaller', () => {
  expect.assert(create !== undefined);
  const [one, other] = [send(create, 'itself'), send(create, 'double-collision')];
  const first = [...simplifySequence([[one, other]], create)].slice(0, 2);
  expect(first).toEqual([[[one]], [[other]]]);
});

test('leaves valid bodies valid, their keys as they are, and equal requests equal', () => {
  expect.assert(create !== undefined);
  const [one, other] = [send(create, 'itself'), send(create, 'double-collision')];
  const smaller = [...simplifySequence([[one, other, one]], create)].filter(
    (sequence) => sequence.flat().length === 3,
  );
  expect(smaller.length).toBeGreaterThan(2);
  for (const requests of smaller.map((sequence) => sequence.flat())) {
    const variants = requests.map(({ body }) =>
      body?.find((part) => typeof part === 'object' && 'slot' in part),
    );
    expect(requests.every((request) => hasValidBody(request, create))).toBe(true);
    expect(variants).toMatchObject([
      { variant: 'itself' },
      { variant: 'double-collision' },
      { variant: 'itself' },
    ]);
    expect(requests[0]).toEqual(requests[2]);
  }
});
