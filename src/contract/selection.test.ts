import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { listExcluded, type Selection, withoutOperations } from './selection.ts';

const responses = { 200: { description: '' } };

const contract = contractOf({
  tags: [{ name: 'all' }, { name: 'safe', parent: 'all' }, { name: 'reads', parent: 'safe' }],
  paths: {
    '/orders': {
      get: { operationId: 'listOrders', tags: ['orders'], responses },
      post: { operationId: 'createOrder', tags: ['orders'], responses },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'readOrder', tags: ['orders', 'reads'], responses },
    },
    '/admin/users': { delete: { operationId: 'purgeUsers', deprecated: true, responses } },
    '/admin': { get: { responses } },
  },
});

const select = (selection: Selection): readonly string[] =>
  withoutOperations(contract, listExcluded(contract, selection)).operations.map(({ id }) => id);

test.each<[string, Selection, readonly string[]]>([
  ['everything', {}, ['listOrders', 'createOrder', 'readOrder', 'purgeUsers', 'GET /admin']],
  ['an operation', { include: { operations: ['readOrder'] } }, ['readOrder']],
  ['an operation without an id', { include: { operations: ['GET /admin'] } }, ['GET /admin']],
  ['operations by a pattern', { include: { operations: ['*Order'] } }, ['createOrder', 'readOrder']],
  ['a tag and a method', { include: { tags: ['orders'], methods: ['get'] } }, ['listOrders', 'readOrder']],
  [
    'a path and those below it',
    { exclude: { paths: ['/admin/**'] } },
    ['listOrders', 'createOrder', 'readOrder'],
  ],
  ['a path template', { include: { paths: ['/orders/{id}'] } }, ['readOrder']],
  ['a tag with those below it', { include: { tags: ['all'] } }, ['readOrder']],
  ['a segment', { include: { paths: ['/orders/*'] } }, ['readOrder']],
  [
    'any of the excluded',
    { exclude: { methods: ['POST'], deprecated: true } },
    ['listOrders', 'readOrder', 'GET /admin'],
  ],
])('selects %s', (_name, selection, expected) => {
  expect(select(selection)).toEqual(expected);
});

test.each<[Selection, string]>([
  [
    { include: { operations: ['listOrder'] } },
    '"--include-operation listOrder": no operation of Test has this id. Perhaps listOrders was meant',
  ],
  [
    { exclude: { tags: ['order'] } },
    '"--exclude-tag order": no operation of Test has this tag. Perhaps orders was meant',
  ],
  [{ exclude: { paths: ['/**'] } }, 'the patterns leave none. Include more, or exclude less'],
])('refuses %o', (selection, message) => {
  expect(() => select(selection)).toThrow(message);
});
