import { expect, test } from 'vitest';
import { findIn } from '../../../fixtures/life-cycle-trace.ts';
import { readOrder } from './list-order.ts';
import { statefulChecks } from './stateful-checks.ts';

const sort = { name: 'sort', in: 'query', schema: { type: 'string' } };
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const document = { operations: { listTask: { parameters: [sort, limit] } } };
const find = (...lines: readonly string[]): readonly string[] =>
  findIn(statefulChecks['sort-ignored'], lines, document);

test.each([
  ['title', { property: 'title', isDownwards: false }],
  ['-title', { property: 'title', isDownwards: true }],
  ['+title', { property: 'title', isDownwards: false }],
  ['title:desc', { property: 'title', isDownwards: true }],
  ['title DESC', { property: 'title', isDownwards: true }],
  ['created_at_asc', { property: 'createdAt', isDownwards: false }],
  ['created_at', { property: 'createdAt', isDownwards: false }],
  ['relevance', undefined],
])('reads the order "%s"', (value, order) => {
  expect(readOrder(value, ['title', 'createdAt'])).toEqual(order);
});

test.each([
  ['numbers as texts', 'effort', '[{"id":1,"effort":10},{"id":2,"effort":9}]'],
  ['texts', 'title', '[{"id":1,"title":"tea"},{"id":2,"title":"jam"}]'],
  ['upwards', '-effort', '[{"id":1,"effort":1},{"id":2},{"id":3,"effort":2}]'],
])('sort-ignored finds %s', (_what, order, body) => {
  expect(find(`GET /tasks?sort=${order} > 200 ${body}`)).toEqual(['violation listTask: sort ignored']);
});

test.each([
  ['equal values', 'effort', '[{"id":1,"effort":1},{"id":2,"effort":1.0}]'],
  ['capitals first', 'title', '[{"id":1,"title":"Tea"},{"id":2,"title":"jam"}]'],
  ['an alphabet without case', 'title', '[{"id":1,"title":"jam"},{"id":2,"title":"Tea"}]'],
  ['a state in the order of its process', 'state', '[{"id":1,"state":"open"},{"id":2,"state":"done"}]'],
  ['an order by nothing that is shown', 'relevance', '[{"id":2},{"id":1}]'],
])('sort-ignored finds nothing in %s', (_what, order, body) => {
  expect(find(`GET /tasks?sort=${order} > 200 ${body}`)).toEqual([]);
});

test('sort-ignored compares an item with those of the page before', () => {
  expect(
    find(
      'GET /tasks?sort=effort&limit=1 > 200 [Link: </tasks?sort=effort&limit=1&offset=1>; rel="next"] [{"id":1,"effort":2}]',
      'GET /tasks?sort=effort&limit=1&offset=1 > 200 [{"id":2,"effort":1}]',
    ),
  ).toEqual(['violation listTask: sort ignored']);
});
