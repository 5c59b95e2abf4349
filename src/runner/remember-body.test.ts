import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { createRunMemory, rememberBody } from './memory.ts';

const contract = await loadContract(undefined, { followReferences: false });

test('knows of an operation that it takes equal bodies once two differ in nothing but their keys', () => {
  const memory = createRunMemory();
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('The contract has no operation.');
  const seen = [
    { id: 1, name: 'Basil' },
    { id: 2, name: 'Thyme' },
    { id: 3, name: 'Basil' },
  ].map((value) => {
    rememberBody({ memory, operation, value });
    return memory.takesEqual.has(operation.id);
  });
  expect(seen).toEqual([false, false, true]);
});
