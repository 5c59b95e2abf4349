import { expect, test } from 'vitest';
import { contractOfForm } from '../fixtures/reference/contract-of-form.ts';
import { base, type Form } from '../fixtures/reference/forms.ts';
import { listQueries, type ListQuery, searchQueries } from './list-queries.ts';

/** Returns the queries of the list of shelves in a document. */
function queriesOf(form: Form): readonly ListQuery[] {
  const { operations } = contractOfForm(form);
  const [list, read] = ['listShelfs', 'readShelf'].map((name) => operations.find(({ id }) => id === name));
  return list === undefined ? [] : [...listQueries(list, read), ...searchQueries(list)];
}

const shown = { name: 'Ferns', code: 'ABC-1234', open: true, note: 'A longer text than the name' };
const textsOf = (form: Form): readonly string[] =>
  queriesOf(form).flatMap(({ request, asks }) => {
    const { target } = (asks === undefined ? request : asks(shown)) ?? {};
    return target === undefined ? [] : [target.slice(target.indexOf('?'))];
  });
const queries = textsOf(base);

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
  const filters = queriesOf(base).filter(({ asks }) => asks !== undefined);
  expect(filters.map(({ asks }) => asks?.({}))).toEqual(filters.map(() => undefined));
});

test.each(['attributes', 'ids'] as const)(
  'a list of items in the form "%s" is asked for the same',
  (envelope) => {
    expect(textsOf({ ...base, envelope })).toEqual(queries);
  },
);
