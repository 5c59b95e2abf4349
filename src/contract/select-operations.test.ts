import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { selectOperations, type SelectionRules } from './select-operations.ts';

const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const pet = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const content = { 'application/json': { schema: pet } };
const responses = { '200': { description: 'ok', content } };
const contract = contractOf({
  paths: {
    '/pets': { get: { responses }, post: { requestBody: { content }, responses } },
    '/pets/{id}': { get: { parameters: id, responses }, delete: { parameters: id, responses } },
    '/users/{id}': { parameters: id, get: { responses }, delete: { responses } },
  },
});

function select(rules: SelectionRules) {
  const { targets, leftOut } = selectOperations(contract, rules);
  const nameAll = (operations: typeof targets): string[] =>
    operations.map(({ method, path }) => `${method} ${path.template}`);
  return {
    targets: nameAll(targets),
    leftOut: leftOut.map(({ operations, ...group }) => ({ ...group, operations: nameAll(operations) })),
  };
}

test('leaves out a DELETE of items that the client cannot create', () => {
  const { targets, leftOut } = select({});
  expect(targets).toContain('DELETE /pets/{id}');
  expect(leftOut).toEqual([{ why: 'items-of-others', operations: ['DELETE /users/{id}'] }]);
});

test('selects every operation if items of others may be changed', () => {
  expect(select({ changesOthers: true })).toMatchObject({ leftOut: [] });
});

test('selects the operations of the given methods alone', () => {
  expect(select({ methods: new Set(['GET']) })).toEqual({
    targets: ['GET /pets', 'GET /pets/{id}', 'GET /users/{id}'],
    leftOut: [{ why: 'method', operations: ['POST /pets', 'DELETE /pets/{id}', 'DELETE /users/{id}'] }],
  });
});

test('groups what errors in the document leave open by error, before all others', () => {
  const [first, second, ...others] = contract.operations;
  const unclear = [first, second].flatMap((operation, index) =>
    operation === undefined
      ? []
      : [{ ...operation, isUnclear: true as const, unclearReason: `error in a.yaml:${index}` }],
  );
  const { leftOut } = selectOperations({ operations: [...others, ...unclear] }, {});
  expect(leftOut.map(({ why, error }) => error ?? why)).toEqual([
    'error in a.yaml:0',
    'error in a.yaml:1',
    'items-of-others',
  ]);
});
