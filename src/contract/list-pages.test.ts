import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { type HeaderList } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import { nextPage } from './list-pages.ts';

const task = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } };

interface Answer {
  readonly target?: string;
  readonly status?: number;
  readonly headers?: HeaderList;
  readonly body?: JsonValue;
}

/** What comes after pages of a list with these parameters: a target, or the kind of the end. */
function after(
  parameters: readonly string[],
  pages: readonly Answer[],
  list: 'bare' | 'items' = 'bare',
): string {
  const array = { type: 'array', items: task };
  const schema = list === 'bare' ? array : { type: 'object', properties: { items: array } };
  const { operations } = contractOf({
    paths: {
      '/tasks': {
        get: {
          parameters: parameters.map((name) => ({
            name,
            in: 'query',
            schema: { type: /cursor|after/u.test(name) ? 'string' : 'integer' },
          })),
          responses: { '200': { description: '', content: { 'application/json': { schema } } } },
        },
        post: {
          requestBody: { content: { 'application/json': { schema: task } } },
          responses: { '201': { description: '', content: { 'application/json': { schema: task } } } },
        },
      },
    },
  });
  const [operation] = operations;
  if (operation === undefined) throw new Error('The document has no list.');
  const next = nextPage(
    operation,
    pages.map(({ target = '/tasks', status = 200, headers = [], body }) => ({
      target,
      status,
      headers,
      body,
    })),
  );
  return next.kind === 'next' ? next.target : next.kind;
}

const two = [{ id: 1 }, { id: 2 }];

test('a list without parameters is whole, unless it looks cut', () => {
  expect(after([], [{ body: two }])).toBe('end');
  expect(after([], [{ body: Array.from({ length: 20 }, (_, id) => ({ id })) }])).toBe('unknown');
});

test('pages are counted by what they show, until one is empty', () => {
  const first = { target: '/tasks?limit=5&offset=0', body: two };
  expect(after(['limit', 'offset'], [first])).toBe('/tasks?limit=5&offset=2');
  expect(after(['limit', 'offset'], [first, { target: '/tasks?limit=5&offset=2', body: [] }])).toBe('end');
  expect(after(['limit', 'page'], [{ target: '/tasks?limit=2', body: two }])).toBe('/tasks?limit=2&page=2');
  expect(after(['page'], [{ body: two }, { target: '/tasks?page=2', status: 404 }])).toBe('end');
});

test('pages that are all the same lead nowhere, and neither does an error', () => {
  expect(after(['page'], [{ body: two }, { target: '/tasks?page=2', body: two }])).toBe('unknown');
  expect(after(['page'], [{ status: 500 }])).toBe('unknown');
  expect(after(['limit'], [{ body: two }])).toBe('unknown');
});

test.each([
  [
    '<https://api.example/v1/tasks?page=2>; rel="next", <https://api.example/v1/tasks?page=9>; rel="last"',
    '/tasks?page=2',
  ],
  ['</tasks?page=1>; rel="first"', 'end'],
  ['<https://other.example/more>; rel=next', 'unknown'],
])('the Link field %s leads to %s', (link, found) => {
  expect(after(['page'], [{ headers: [['Link', link]], body: two }])).toBe(found);
});

test.each([
  [{ items: two, next: '/tasks?cursor=x' }, '/tasks?cursor=x'],
  [{ items: two, next_cursor: 'x y' }, '/tasks?cursor=x%20y'],
  [{ items: two, meta: { nextCursor: null } }, 'end'],
  [{ items: two, links: { next: { href: 'http://a.example/tasks?cursor=z' } } }, '/tasks?cursor=z'],
  [{ items: two, has_more: false }, 'end'],
  [{ items: two, total: 2 }, 'end'],
  [{ items: two, count: 2 }, 'unknown'],
  [{ items: two }, 'unknown'],
] as const)('an envelope such as %j leads to %s', (body, found) => {
  expect(after(['limit', 'cursor'], [{ body }], 'items')).toBe(found);
});

test('the id of the last item leads on where a parameter takes one', () => {
  expect(after(['starting_after'], [{ body: two }])).toBe('/tasks?starting_after=2');
});
