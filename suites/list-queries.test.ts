import { expect, test } from 'vitest';
import { contractOfForm } from '../fixtures/reference/contract-of-form.ts';
import { base } from '../fixtures/reference/forms.ts';
import { listQueries, searchQueries } from './list-queries.ts';

const list = contractOfForm(base).operations.find(({ id }) => id === 'listShelfs');
const shown = { name: 'Ferns', code: 'ABC-1234', open: true, note: 'A longer text than the name' };
const all = list === undefined ? [] : [...listQueries(list), ...searchQueries(list)];
const queries = all.flatMap(({ request, asks }) => {
  const { target } = (asks === undefined ? request : asks(shown)) ?? {};
  return target === undefined ? [] : [target.slice(target.indexOf('?'))];
});

test.each([
  ['pages', ['?limit=3', '?limit=1']],
  ['each state', ['?open=false', '?open=true']],
  [
    'filters page by page, and two of them',
    ['?limit=3&open=true', '?limit=3&code=ABC-1234', '?open=true&code=ABC-1234'],
  ],
  [
    'declared orders, up and down',
    ['?sort=name', '?limit=3&sort=-name', '?sort=capacity', '?sort=-capacity'],
  ],
  ['a search for the name, page by page and further on', ['?limit=3&q=Ferns', '?offset=1&q=Ferns']],
])('a list is asked for %s', (_what, expected) => {
  expect(queries).toEqual(expect.arrayContaining(expected));
});

test('a query that needs a value of an item is left out where the item has none', () => {
  const filters = all.filter(({ asks }) => asks !== undefined);
  expect(filters.map(({ asks }) => asks?.({}))).toEqual(filters.map(() => undefined));
});
