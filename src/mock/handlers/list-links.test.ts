import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openMock } from '../../../fixtures/mock-client.ts';

const baskets = fileURLToPath(new URL('../../../fixtures/documents/baskets.yaml', import.meta.url));

interface Page {
  readonly status: number;
  readonly ids: readonly number[];
  /** The whole field. */
  readonly link: string;
  /** The targets of the links by their relations. */
  readonly links: Readonly<Record<string, string>>;
}

async function open(names: readonly string[]): Promise<string> {
  const { mock } = await openMock(baskets, { data: { '/baskets': names.map((name) => ({ name })) } });
  return (await mock.listen()).url;
}

async function list(url: string): Promise<Page> {
  const answer = await fetch(url);
  // `as`: the document says so.
  const items = (await answer.json()) as readonly { readonly id: number }[];
  const link = answer.headers.get('link') ?? '';
  const links = [...link.matchAll(/<([^>]*)>; rel="(\w+)"/gu)].map(([, target = '', rel = '']) => [
    rel,
    target,
  ]);
  return { status: answer.status, ids: items.map(({ id }) => id), link, links: Object.fromEntries(links) };
}

/** Follows the links to the next pages. */
async function follow(first: string, between: (page: Page) => Promise<unknown>): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (
    let next: string | undefined = first;
    next !== undefined && pages.length < 20;
    next = pages.at(-1)?.links['next']
  ) {
    const page = await list(next);
    pages.push(page);
    await between(page);
  }
  return pages;
}

const long = [...'gbadfce'].map((letter) => `${'x'.repeat(9_000)}${letter}`);
const inOrder = [3, 2, 6, 4, 7, 5, 1];

test.each([
  ['name', inOrder],
  ['-name', inOrder.toReversed()],
])('leads through long values sorted by %s with short links', async (sort, ids) => {
  const url = await open(long);
  const pages = await follow(`${url}/baskets?limit=2&sort=${sort}`, () => Promise.resolve());
  expect(pages.flatMap((page) => page.ids)).toEqual(ids);
  expect(Math.max(...pages.map(({ link }) => link.length))).toBeLessThan(4_000);
  const back = await list(pages.at(-1)?.links['prev'] ?? '');
  expect(back.ids).toEqual(ids.slice(4, 6));
});

test('leaves out no item that stays, though the item of a cursor with a long value is deleted', async () => {
  const url = await open(long);
  const shown = new Set<number>();
  const pages = await follow(`${url}/baskets?limit=3&sort=name`, async ({ ids }) => {
    for (const id of ids) shown.add(id);
    const last = ids.at(-1);
    if (last === 6) await fetch(`${url}/baskets/${last}`, { method: 'DELETE' });
  });
  expect([...shown].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(pages.at(-1)?.ids).toContain(1);
});

test.each([
  [100, ['first', 'prev', 'next']],
  [2_000, ['first', 'prev', 'next']],
  [3_000, ['prev', 'next']],
  [4_500, []],
])(
  'gives those links that leave a query of %i characters short enough to be followed',
  async (length, rels) => {
    const url = await open(['a', 'b', 'c']);
    const { links } = await list(`${url}/baskets?limit=1`);
    const second = `${links['next']}&tag=${'x'.repeat(length)}`;
    const page = await list(second);
    expect(Object.keys(page.links)).toEqual(rels);
    for (const link of Object.values(page.links)) expect((await list(link)).status).toBe(200);
  },
);

test('gives no link that it would refuse itself', async () => {
  const refused = { policy: { 'unknown-query-parameter': 'refuse' } } as const;
  const page = { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 2 } };
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
  const responses = {
    200: {
      description: '',
      headers: { Link: { schema: { type: 'string' } } },
      content: { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } },
    },
    400: { description: '' },
  };
  const create = {
    requestBody: { content: responses[200].content },
    responses: { 201: { description: '' } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Lists', version: '1' },
    paths: {
      '/paged': { get: { parameters: [limit, page], responses }, post: create },
      '/cut': { get: { parameters: [limit], responses }, post: create },
    },
  };
  const rows = [{ a: 1 }, { a: 2 }, { a: 3 }];
  const { get } = await openMock(document, { ...refused, data: { '/paged': rows, '/cut': rows } });
  const linksOf = async (target: string): Promise<string | null> => (await get(target)).headers.get('link');
  expect(await linksOf('/paged?limit=1&page=2')).toBe(
    '<http://localhost/paged?limit=1&page=1>; rel="first", <http://localhost/paged?limit=1&page=1>; rel="prev"',
  );
  expect(await linksOf('/cut?limit=1')).toBeNull();
});

test('the page before what lies past the end is the last one', async () => {
  const integer = { type: 'integer' };
  const parameters = ['limit', 'offset'].map((name) => ({ name, in: 'query', schema: integer }));
  const book = { type: 'object', properties: { id: integer } };
  const content = { 'application/json': { schema: book } };
  const array = { type: 'array', items: book };
  const schema = {
    type: 'object',
    properties: { items: array, previous: { type: 'string', format: 'uri' } },
  };
  const client = await openMock(
    {
      openapi: '3.1.0',
      info: { title: 'Books', version: '1.0.0' },
      paths: {
        '/books': {
          get: {
            parameters,
            responses: { 200: { description: 'Some.', content: { 'application/json': { schema } } } },
          },
          post: { requestBody: { content }, responses: { 201: { description: 'New.', content } } },
        },
      },
    },
    { data: { '/books': [{}, {}, {}, {}, {}] } },
  );
  const { body } = await client.get('http://mock/books?limit=2&offset=100');
  expect(body).toEqual({ items: [], previous: 'http://mock/books?limit=2&offset=4' });
});
