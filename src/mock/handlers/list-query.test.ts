import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { integer, json, object, response, text } from '../../../fixtures/document-parts.ts';
import { openMock } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import { createMock } from '../create-mock.ts';

const baskets = fileURLToPath(new URL('../../../fixtures/documents/baskets.yaml', import.meta.url));

/** Opens baskets, and returns what lists them. */
async function open(
  rows: readonly JsonObject[],
  policy: Partial<Policy> = {},
): Promise<(query: string) => Promise<{ readonly names: string; readonly link: string | null }>> {
  const { get } = await openMock(baskets, { data: { '/baskets': rows }, policy });
  return async (query) => {
    const { body, headers } = await get(`/baskets?${query}`);
    // `as`: the document says so.
    const items = body as readonly { readonly name: string }[];
    return { names: items.map(({ name }) => name).join(''), link: headers.get('link') };
  };
}

test('a property that is named again adds nothing to a sort', async () => {
  const list = await open([...'abcdefg'].map((name, index) => ({ name, price: index % 3 })));
  const names = [
    'price',
    ...Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? '-price' : 'price')),
  ];
  const [once, again] = [await list('limit=3&sort=price'), await list(`limit=3&sort=${names.join(',')}`)];
  expect(again.names).toBe(once.names);
  // The cursor holds what the list is sorted by.
  const cursorOf = ({ link }: typeof once): string | undefined =>
    /cursor=(\w+)>; rel="next"/u.exec(link ?? '')?.[1];
  expect([cursorOf(again), cursorOf(once)]).toEqual([expect.any(String), cursorOf(again)]);
});

test('a filter finds a number however it and the filter are written', async () => {
  // `as`: it is JSON of that form.
  const list = await open(JSON.parse('[{"name":"a","price":0.1},{"name":"b","price":10}]') as JsonObject[]);
  expect((await list('price=0.10&price=1e400')).names).toBe('a');
  expect((await list('price=3&price=1e1')).names).toBe('b');
});

test('a search finds the items that hold each of several texts', async () => {
  const list = await open([
    { name: 'ab', tags: ['C', 'd'] },
    { name: 'cd', tags: [] },
  ]);
  expect((await list('q=A&q=c&q=a')).names).toBe('ab');
  expect((await list('q=d')).names).toBe('abcd');
  expect((await list('q=abc')).names).toBe('');
});

test.each([
  ['exact', 'ab'],
  ['prefix', 'ababc'],
  ['part', 'ababccab'],
] as const)('under filter-match: %s a filter by "ab" shows %s', async (match, names) => {
  const list = await open([{ name: 'ab' }, { name: 'abc' }, { name: 'cab' }], { 'filter-match': match });
  expect((await list('name=ab')).names).toBe(names);
});

test('a search looks only in the fields that the policy names', async () => {
  const list = await open([{ name: 'ab', tags: ['cd'] }], { 'search-fields': ['tags'] });
  expect((await list('q=cd')).names).toBe('ab');
  expect((await list('q=ab')).names).toBe('');
});

test('a search of a list that shows ids alone looks in its items', async () => {
  const book = object({ id: { ...integer, readOnly: true }, title: text });
  const q = { name: 'q', in: 'query', schema: text };
  const list = { parameters: [q], responses: { 200: response({ type: 'array', items: integer }) } };
  const create = { requestBody: json(book), responses: { 201: response(book) } };
  const id = { name: 'id', in: 'path', required: true, schema: integer };
  const read = { parameters: [id], responses: { 200: response(book) } };
  const paths = { '/books': { get: list, post: create }, '/books/{id}': { get: read } };
  // `as`: they are JSON.
  const contract = contractOf({ paths: paths as unknown as JsonObject });
  const mock = await createMock(contract, { data: { '/books': [{ title: 'Tea' }, { title: 'Milk' }] } });
  const found = await mock.fetch('http://books.test/books?q=milk');
  expect(await found.json()).toEqual([2]);
});

test.each([
  ['first-page', 'ab'],
  ['empty', ''],
] as const)('under unknown-cursor: %s an unknown cursor shows "%s"', async (answer, names) => {
  const list = await open([{ name: 'ab' }], { 'unknown-cursor': answer });
  expect((await list('cursor=x')).names).toBe(names);
});

test('other requests are answered while a list of few long items is written', async () => {
  const rows = Array.from({ length: 8 }, () => ({ name: 'x'.repeat(300_000) }));
  const client = await openMock(baskets, { data: { '/baskets': rows } });
  const answered: string[] = [];
  const get = async (target: string): Promise<string> => {
    const { text } = await client.get(target);
    answered.push(target);
    return text;
  };
  const [list] = await Promise.all([get('/baskets?limit=8'), get('/baskets/1')]);
  expect(JSON.parse(list)).toHaveLength(8);
  expect(answered).toEqual(['/baskets/1', '/baskets?limit=8']);
});

test('`count` asks for a page where something leads on, and for what has such a count where nothing does', async () => {
  const integer = { type: 'integer' };
  const book = { type: 'object', properties: { id: { ...integer, readOnly: true }, count: integer } };
  const content = { 'application/json': { schema: book } };
  const array = { 'application/json': { schema: { type: 'array', items: book } } };
  const listBy = async (...names: readonly string[]): Promise<unknown> => {
    const parameters = names.map((name) => ({ name, in: 'query', schema: integer }));
    const client = await openMock(
      {
        openapi: '3.1.0',
        info: { title: 'Books', version: '1.0.0' },
        paths: {
          '/books': {
            get: { parameters, responses: { 200: { description: 'Some.', content: array } } },
            post: { requestBody: { content }, responses: { 201: { description: 'New.', content } } },
          },
        },
      },
      { data: { '/books': [{ count: 5 }, { count: 2 }, { count: 5 }] } },
    );
    return (await client.get('/books?count=2')).body;
  };
  const [first, second] = [
    { id: 1, count: 5 },
    { id: 2, count: 2 },
  ];
  expect(await listBy('count', 'offset')).toEqual([first, second]);
  expect(await listBy('count')).toEqual([second]);
  expect(await listBy('count', 'offset', 'limit')).toEqual([second]);
});
