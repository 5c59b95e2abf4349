import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';

type Schema = Record<string, unknown>;

const query = (name: string, schema: Schema, more: Schema = {}): Schema => ({
  name,
  in: 'query',
  schema,
  ...more,
});
const integer = { type: 'integer' };
const text = { type: 'string' };
const array = { type: 'array', items: { $ref: '#/components/schemas/Book' } };
const envelope = (properties: Schema, required: readonly string[] = []): Schema => ({
  type: 'object',
  required: ['items', ...required],
  properties: { items: array, ...properties },
});

/** A shop of books, whose list has these parameters, this body and these headers, and that holds some at the start. */
function shop(
  parameters: readonly Schema[],
  {
    body = array,
    headers = {},
    books = [],
  }: { body?: Schema; headers?: Schema; books?: readonly JsonObject[] } = {},
): Promise<Mock> {
  const book = { $ref: '#/components/schemas/Book' };
  const json = (schema: Schema): Schema => ({ content: { 'application/json': { schema } } });
  const refused = { description: '', ...json({ type: 'object', properties: { message: text } }) };
  const created = { '201': { description: '', ...json(book) }, '400': refused };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Books', version: '1.0.0' },
    paths: {
      '/books': {
        get: {
          parameters,
          responses: { '200': { description: '', headers, ...json(body) }, '400': refused },
        },
        post: { requestBody: json(book), responses: created },
      },
      '/books/{bookId}': {
        parameters: [{ name: 'bookId', in: 'path', required: true, schema: integer }],
        get: { responses: { '200': { description: '', ...json(book) }, '404': refused } },
        delete: { responses: { '204': { description: '' }, '404': refused } },
      },
    },
    components: {
      schemas: {
        Book: {
          type: 'object',
          properties: {
            id: { type: 'integer', readOnly: true },
            title: text,
            price: { type: 'number' },
            sold: { type: 'boolean' },
            status: { type: 'string', enum: ['new', 'used'] },
            tags: { type: 'array', items: text },
            created_at: { type: 'string', format: 'date-time' },
            author: { type: 'object', properties: { city: text } },
          },
        },
      },
    },
  };
  return createMock(document, { data: { '/books': books } });
}

const titled = (...titles: readonly string[]): readonly JsonObject[] => titles.map((title) => ({ title }));

interface Answer {
  readonly status: number;
  readonly link: string | null;
  readonly body: unknown;
  /** Of the books that are listed. */
  readonly titles: readonly string[];
  readonly headers: Headers;
}

async function list(mock: Mock, target: string): Promise<Answer> {
  const response = await mock.fetch(new URL(target, 'http://shop.test').href);
  // `as`: the documents of these tests say so.
  const body = (await response.json()) as { title: string }[] | { items?: { title: string }[] };
  const items = Array.isArray(body) ? body : (body.items ?? []);
  const { status, headers } = response;
  return { status, headers, link: headers.get('link'), body, titles: items.map(({ title }) => title) };
}

async function titles(mock: Mock, parameters: string): Promise<string> {
  return (await list(mock, `/books?${parameters}`)).titles.join('');
}

/** A member of an envelope. */
function member(body: unknown, ...names: readonly string[]): unknown {
  // `as`: what is no object has no members, and gives undefined.
  return names.reduce<unknown>((value, name) => (value as Schema | null | undefined)?.[name], body);
}

const letters = titled(...'abcdefg');

test('a limit, an offset and the number of a page cut a list', async () => {
  const limits = query('limit', { type: 'integer', default: 3 });
  const mock = await shop([limits, query('offset', integer), query('page', integer)], { books: letters });
  expect(await titles(mock, '')).toBe('abc');
  expect(await titles(mock, 'limit=2')).toBe('ab');
  expect(await titles(mock, 'limit=2&offset=5')).toBe('fg');
  expect(await titles(mock, 'page=2')).toBe('def');
  expect(await titles(mock, 'page=4')).toBe('');
  expect(await titles(mock, 'limit=0')).toBe('');
  expect(await titles(mock, 'offset=99999999999999999999')).toBe('');
});

test('pages are counted from 0 where the document begins so', async () => {
  const page = query('page', { type: 'integer', minimum: 0 });
  const mock = await shop([query('size', integer), page], { books: letters });
  expect([await titles(mock, 'size=3'), await titles(mock, 'size=3&page=1')]).toEqual(['abc', 'def']);
});

test('a list never has more than its response may hold', async () => {
  const mock = await shop([query('page', integer)], { body: { ...array, maxItems: 4 }, books: letters });
  expect([await titles(mock, ''), await titles(mock, 'page=2')]).toEqual(['abcd', 'efg']);
});

test('the default of a filter hides what differs from it, and no item of which that is unknown', async () => {
  const books = [{ title: 'a', sold: true }, { title: 'b', sold: false }, { title: 'c' }];
  const mock = await shop([query('sold', { type: 'boolean', default: true })], { books });
  expect([await titles(mock, ''), await titles(mock, 'sold=true')]).toEqual(['ac', 'a']);
});

test('without a limit all is on the first page', async () => {
  const mock = await shop([query('page', integer)], { books: letters });
  expect([await titles(mock, 'page=1'), await titles(mock, 'page=2')]).toEqual(['abcdefg', '']);
});

test('a parameter that is named like a property must equal it, as the type of the property compares', async () => {
  const books = [
    { title: 'a', price: 1, sold: true, tags: ['x', 'y'], author: { city: 'Oslo' } },
    { title: 'b', price: 2.5, sold: false, tags: ['y'], author: { city: 'Bern' }, status: 'used' },
    { title: 'c', status: 'new' },
  ];
  const mock = await shop(
    [
      query('price', { type: 'number' }),
      query('sold', { type: 'boolean' }),
      query('title', { type: 'array', items: text }),
      query('tags', { type: 'array', items: text }, { explode: false }),
      query('author.city', text),
      query('status', { type: 'string', enum: ['new', 'used', 'all'] }),
      query('ids', { type: 'array', items: integer }, { explode: false }),
    ],
    { books },
  );
  expect(await titles(mock, 'price=1.0')).toBe('a');
  expect(await titles(mock, 'sold=false')).toBe('b');
  expect(await titles(mock, 'title=a&title=c')).toBe('ac');
  expect(await titles(mock, 'title=A')).toBe('');
  expect(await titles(mock, 'tags=x,z')).toBe('a');
  expect(await titles(mock, 'author.city=Bern')).toBe('b');
  expect(await titles(mock, 'status=used')).toBe('b');
  expect(await titles(mock, 'status=all')).toBe('abc');
  expect(await titles(mock, 'ids=1,3')).toBe('ac');
  expect(await titles(mock, 'price=1&sold=false')).toBe('');
});

test('an object of filters filters by each of its members', async () => {
  const any = { style: 'deepObject', explode: true };
  const books = [
    { title: 'a', price: 5, status: 'new' },
    { title: 'b', price: 10, status: 'used' },
    { title: 'c', price: 15, status: 'used', author: { city: 'Oslo' } },
  ];
  const filter = { type: 'object', additionalProperties: text };
  const author = { type: 'object', properties: { city: text } };
  const mock = await shop([query('filter', filter, any), query('author', author, any)], { books });
  expect(await titles(mock, 'filter[status]=used')).toBe('bc');
  expect(await titles(mock, 'filter[status]=used&filter[price][lt]=15')).toBe('b');
  expect(await titles(mock, 'filter[status][ne]=used')).toBe('a');
  expect(await titles(mock, 'author[city]=Oslo')).toBe('c');
});

test('a name that says so is a bound', async () => {
  const books = [
    { title: 'a', price: 5, created_at: '2026-01-01T08:00:00Z' },
    { title: 'b', price: 10, created_at: '2026-01-02T00:30:00+01:00' },
    { title: 'c', created_at: '2026-01-03T08:00:00Z' },
  ];
  const mock = await shop(
    ['min_price', 'maxPrice', 'price[gt]']
      .map((name) => query(name, { type: 'number' }))
      .concat(['created_after', 'created_until'].map((name) => query(name, text))),
    { books },
  );
  expect(await titles(mock, 'min_price=10')).toBe('b');
  expect(await titles(mock, 'maxPrice=10')).toBe('ab');
  expect(await titles(mock, 'price[gt]=5')).toBe('b');
  expect(await titles(mock, 'created_after=2026-01-01T23:00:00Z')).toBe('bc');
  expect(await titles(mock, 'created_until=2026-01-02')).toBe('ab');
});

test('a list is sorted by properties, in each notation', async () => {
  const books = [
    { title: 'b', price: 10, created_at: '2026-01-02T00:00:00Z' },
    { title: 'c', price: 9, created_at: '2026-01-03T00:00:00Z' },
    { title: 'a', price: 10, created_at: '2026-01-01T00:00:00Z' },
    { title: 'd' },
  ];
  const order = query('order', { type: 'string', enum: ['asc', 'desc'], default: 'asc' });
  const mock = await shop([query('sort', text), order], { books });
  expect(await titles(mock, 'sort=title')).toBe('abcd');
  expect(await titles(mock, 'sort=price')).toBe('cbad');
  for (const sort of ['-price', 'price:desc', 'price+desc', 'price_desc', 'price,desc', 'price&order=desc']) {
    expect([sort, await titles(mock, `sort=${sort}`)]).toEqual([sort, 'bacd']);
  }
  expect(await titles(mock, 'sort=-price,title')).toBe('abcd');
  expect(await titles(mock, 'sort=created_desc')).toBe('cbad');
  expect(await titles(mock, 'sort=newest')).toBe('dacb');
  expect(await titles(mock, 'sort=relevance')).toBe('bcad');
  const message = 'The request is not valid: the query parameter "sort" names "nothing", which no item has.';
  expect(await list(mock, '/books?sort=title,nothing')).toMatchObject({ status: 400, body: { message } });
});

test('a search looks for a text in all values', async () => {
  const books = [
    { title: 'Tea', author: { city: 'Oslo' } },
    { title: 'Milk', tags: ['tea time'] },
  ];
  const mock = await shop([query('q', text)], { books });
  expect([await titles(mock, 'q=TEA'), await titles(mock, 'q=oslo')]).toEqual(['TeaMilk', 'Tea']);
  expect(await titles(mock, 'q=city')).toBe('');
});

test('an envelope says truthfully what is around a page', async () => {
  const nullable = { type: ['string', 'null'], format: 'uri' };
  const body = envelope(
    {
      total: integer,
      count: integer,
      page: integer,
      totalPages: integer,
      hasMore: { type: 'boolean' },
      next: nullable,
      previous: nullable,
      meta: { type: 'object', properties: { limit: integer, offset: integer } },
    },
    ['total', 'next'],
  );
  const mock = await shop([query('page', integer), query('limit', integer), query('sort', text)], {
    body,
    books: letters,
  });
  const facts = async (parameters: string): Promise<unknown> => {
    const { items: _, ...rest } = (await list(mock, `/books?${parameters}`)).body as Schema; // `as`: it is an envelope.
    return rest;
  };
  expect(await facts('sort=-title&limit=3&page=2')).toEqual({
    total: 7,
    count: 3,
    page: 2,
    totalPages: 3,
    hasMore: true,
    next: 'http://shop.test/books?sort=-title&limit=3&page=3',
    previous: 'http://shop.test/books?sort=-title&limit=3&page=1',
    meta: { limit: 3, offset: 3 },
  });
  expect(await facts('limit=3&page=3')).toMatchObject({ count: 1, hasMore: false, next: null });
  expect(await facts('')).toMatchObject({ total: 7, page: 1, totalPages: 1, next: null, previous: null });
});

test('links of HAL and of JSON:API lead to other pages', async () => {
  const href = { type: 'object', properties: { href: text } };
  const body = envelope({
    _links: { type: 'object', required: ['self'], properties: { self: href, next: href, prev: href } },
    links: { type: 'object', properties: { next: { oneOf: [text, href, { type: 'null' }] }, last: text } },
  });
  const page = { type: 'object', properties: { number: integer, size: integer } };
  const mock = await shop([query('page', page, { style: 'deepObject', explode: true })], {
    body,
    books: letters,
  });
  const { body: shown, titles: found } = await list(mock, '/books?page[size]=3&page[number]=2');
  expect(found.join('')).toBe('def');
  expect(shown).toMatchObject({
    _links: {
      self: { href: '/books?page%5Bsize%5D=3&page%5Bnumber%5D=2' },
      next: { href: '/books?page%5Bsize%5D=3&page%5Bnumber%5D=3' },
      prev: { href: '/books?page%5Bsize%5D=3&page%5Bnumber%5D=1' },
    },
    links: {
      next: '/books?page%5Bsize%5D=3&page%5Bnumber%5D=3',
      last: '/books?page%5Bsize%5D=3&page%5Bnumber%5D=3',
    },
  });
  const { body: last } = await list(mock, '/books?page[size]=3&page[number]=3');
  expect([member(last, '_links', 'next'), member(last, 'links', 'next')]).toEqual([undefined, null]);
});

test('headers say truthfully what is around a page, where they are declared', async () => {
  const names = ['Link', 'X-Total-Count', 'X-Next-Page', 'X-Per-Page', 'Content-Range', 'x-next', 'X-Trace'];
  const headers = Object.fromEntries(
    names.map((name) => [
      name,
      { required: name === 'X-Trace', schema: /page$/iu.test(name) ? integer : text },
    ]),
  );
  const mock = await shop([query('page', integer), query('per_page', integer)], { headers, books: letters });
  const { headers: found } = await list(mock, '/books?per_page=3&page=2');
  expect(names.map((name) => found.get(name))).toEqual([
    [
      '<http://shop.test/books?per_page=3&page=1>; rel="first"',
      '<http://shop.test/books?per_page=3&page=1>; rel="prev"',
      '<http://shop.test/books?per_page=3&page=3>; rel="next"',
      '<http://shop.test/books?per_page=3&page=3>; rel="last"',
    ].join(', '),
    '7',
    '3',
    '3',
    'items 3-5/7',
    '/books?per_page=3&page=3',
    'text',
  ]);
  const { headers: last } = await list(mock, '/books?per_page=3&page=3');
  expect([last.has('x-next'), last.has('X-Next-Page'), last.get('Content-Range')]).toEqual([
    false,
    false,
    'items 6-6/7',
  ]);
});

const cursors = {
  parameters: [query('limit', integer), query('cursor', text), query('sort', text), query('status', text)],
  body: envelope({ next_cursor: text, prev_cursor: text, has_more: { type: 'boolean' } }),
};

test('a cursor leads on, and back', async () => {
  const mock = await shop(cursors.parameters, { body: cursors.body, books: letters });
  const first = await list(mock, '/books?limit=3');
  expect(first.body).toMatchObject({ has_more: true, next_cursor: expect.stringMatching(/^[\w-]+$/u) });
  expect(member(first.body, 'prev_cursor')).toBeUndefined();
  const second = await list(mock, `/books?limit=3&cursor=${String(member(first.body, 'next_cursor'))}`);
  const third = await list(mock, `/books?limit=3&cursor=${String(member(second.body, 'next_cursor'))}`);
  const back = await list(mock, `/books?limit=3&cursor=${String(member(third.body, 'prev_cursor'))}`);
  expect([second, third, back].map((each) => each.titles.join(''))).toEqual(['def', 'g', 'def']);
  expect(member(third.body, 'has_more')).toBe(false);
  expect(member(third.body, 'next_cursor')).toBeUndefined();
});

test('a cursor that was made for another list, or by somebody else, is refused', async () => {
  const mock = await shop(cursors.parameters, { body: cursors.body, books: letters });
  const made = String(member((await list(mock, '/books?limit=3&sort=title')).body, 'next_cursor'));
  expect(await titles(mock, `limit=2&sort=title&cursor=${made}`)).toBe('de');
  const wrong = [made, 'x', '!', '%00', 'e30', `${made}A`, made.slice(1), '%ED%A0%80', 'a'.repeat(5000)];
  for (const cursor of wrong) {
    expect(await list(mock, `/books?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: {
        message:
          'The request is not valid: the query parameter "cursor" is no cursor of this list, or its item is gone.',
      },
    });
  }
  expect((await list(mock, '/books')).titles).toHaveLength(7);
});

test('the id of an item is a cursor, too', async () => {
  const parameters = ['starting_after', 'ending_before'].map((name) => query(name, text));
  const mock = await shop([query('limit', integer), ...parameters], {
    body: envelope({
      has_more: { type: 'boolean' },
      last_id: text,
      url: text,
      next: { type: 'string', format: 'uri' },
    }),
    books: letters,
  });
  const { body } = await list(mock, '/books?limit=2&starting_after=2');
  expect(body).toMatchObject({
    has_more: true,
    last_id: '4',
    next: 'http://shop.test/books?limit=2&starting_after=4',
  });
  expect(await titles(mock, 'limit=2&starting_after=2')).toBe('cd');
  expect(await titles(mock, 'limit=2&ending_before=6')).toBe('de');
  expect((await list(mock, '/books?starting_after=99')).status).toBe(400);
});

test('a list that is cut leads on even where the document has no parameter for it', async () => {
  const headers = { 'x-next': { schema: text } };
  const mock = await shop([query('limit', integer)], { headers, books: letters });
  const first = await list(mock, '/books?limit=4');
  const next = first.headers.get('x-next') ?? '';
  expect([next, (await list(mock, next)).titles.join('')]).toEqual([
    expect.stringMatching(/^\/books\?limit=4&cursor=[\w-]+$/u),
    'efg',
  ]);
  expect((await list(mock, next)).headers.has('x-next')).toBe(false);
  expect(await titles(mock, 'limit=4&cursor=mine')).toBe('abcd');
});

test('HEAD on a list answers as GET does, without content', async () => {
  const headers = { 'X-Total-Count': { schema: integer } };
  const mock = await shop([query('limit', integer)], { headers, books: letters });
  const response = await mock.fetch('http://shop.test/books?limit=2', { method: 'HEAD' });
  expect([response.status, response.headers.get('X-Total-Count'), await response.text()]).toEqual([
    200,
    '7',
    '',
  ]);
});

/** Pages through a list until there is no next one. */
async function follow(
  mock: Mock,
  first: string,
  between: () => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  for (let next: string | undefined = first; next !== undefined;) {
    const { link, titles: found, status } = await list(mock, next);
    if (status !== 200) throw new Error(`${next} is answered with ${status}`);
    seen.push(...found);
    next = /<([^>]+)>; rel="next"/u.exec(link ?? '')?.[1];
    await between();
  }
  return seen;
}

const linked = { Link: { schema: text } };

const means: Readonly<Record<string, readonly Schema[]>> = {
  offset: [query('offset', integer)],
  page: [query('page', integer)],
  'a page from 0': [query('page', { type: 'integer', default: 0 })],
  cursor: [query('cursor', text)],
  'an id': [query('starting_after', text)],
};

const sorts = fc.constantFrom('', '&sort=price', '&sort=-price,title', '&sort=newest');

test.each(Object.entries(means))('pages by %s show each item once', async (_, parameters) => {
  const book = fc.record(
    { title: fc.string({ maxLength: 3 }), price: fc.integer({ min: 0, max: 3 }) },
    { requiredKeys: ['title'] },
  );
  const mock = await shop([query('limit', integer), query('sort', text), ...parameters], { headers: linked });
  await fc.assert(
    fc.asyncProperty(
      fc.array(book, { maxLength: 20 }),
      fc.integer({ min: 1, max: 7 }),
      sorts,
      async (books, limit, by) => {
        await mock.state.import({ '/books': books }, 'replace');
        const whole = await list(mock, `/books?limit=${books.length + 1}${by}`);
        expect(await follow(mock, `/books?limit=${limit}${by}`)).toEqual(whole.titles);
        expect(whole.titles.toSorted()).toEqual(books.map(({ title }) => title).toSorted());
      },
    ),
    { numRuns: 25 },
  );
});

test('pages by cursor show each item that stays once, whatever comes and goes meanwhile', async () => {
  const change = fc.record({ removed: fc.nat(), added: fc.integer({ min: 0, max: 2 }) });
  const parameters = [query('limit', integer), query('sort', text), query('cursor', text)];
  const mock = await shop(parameters, { headers: linked });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 15 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(change, { maxLength: 8 }),
      sorts,
      async (names, limit, changes, by) => {
        await mock.state.import({ '/books': names.map((title) => ({ title })) }, 'replace');
        const { resources } = await mock.state.list('/books');
        const staying = new Map(resources.map(({ key }, index) => [key, names[index]]));
        const rest = [...changes];
        const seen = await follow(mock, `/books?limit=${limit}${by}`, async () => {
          const next = rest.pop();
          if (next === undefined) return;
          const gone = resources[next.removed % resources.length]?.key;
          if (gone !== undefined) {
            await mock.state.delete('/books', gone);
            staying.delete(gone);
          }
          for (let index = 0; index < next.added; index += 1) {
            await mock.state.put('/books', { title: `new ${rest.length} ${index}` });
          }
        });
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining([...staying.values()]));
      },
    ),
    { numRuns: 50 },
  );
});
