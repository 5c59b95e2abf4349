import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { loadContract } from '../../contract/load.ts';
import { createPolicy } from '../../policy/policy.ts';
import { contextOf } from './subject.ts';

const document = new URL('../../../fixtures/documents/two-creates.yaml', import.meta.url).pathname;
const contract = await loadContract(document, { followReferences: false });
const [addBook, addReader] = contract.operations;

test('the answers of an operation are told with it', () => {
  const policy = createPolicy({ accept: 406, operations: { addBook: { 'duplicate-key': 'conflict' } } });
  const context = createCheckContext(contract, { policy, enforced: new Set(['accept']), echo: 'warning' });
  const own = contextOf(context, addBook);
  expect(own.enforced).toEqual(new Set(['accept', 'duplicate-key']));
  expect([own.policy['duplicate-key'], own.policy.accept, own.echo]).toEqual(['conflict', 406, 'warning']);
  expect(contextOf(context, addReader)).toBe(context);
  expect(contextOf(context, undefined)).toBe(context);
});

test.each([
  ['none', undefined],
  ['exact', 'violation'],
] as const)('an operation whose echo is %s has it judged so', (echo, worth) => {
  const policy = createPolicy({ operations: { addBook: { echo } } });
  expect(contextOf(createCheckContext(contract, { policy, echo: 'warning' }), addBook).echo).toBe(worth);
});

test('what a run learns meanwhile is seen', () => {
  let longestPlainBody = 1;
  const policy = createPolicy({ operations: { addBook: { echo: 'none' } } });
  const context = {
    ...createCheckContext(contract),
    policy,
    get longestPlainBody() {
      return longestPlainBody;
    },
  };
  longestPlainBody = 7;
  expect(contextOf(context, addBook).longestPlainBody).toBe(7);
});
