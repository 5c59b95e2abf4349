import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type Client, createServiceClient } from '../../fixtures/service-client.ts';
import { startMock } from '../../fixtures/start-mock.ts';

beforeAll(() => buildWhenStale());

const file = (place: string): string => fileURLToPath(new URL(`../../fixtures/${place}`, import.meta.url));

/** Documents that others published, as they published them. */
const published = (place: string): string => file(`interop/node_modules/@readme/oas-examples/${place}`);
const withoutPublished = '(left out until `npm ci` was run in fixtures/interop)';

/** Starts a mock by the command, as a user does, and returns a client of it. */
async function openClient(document: string, ...words: readonly string[]): Promise<Client> {
  const always = ['--token', 't', '--no-watch', '--quiet'];
  const { url } = await startMock(tmpdir(), [document, ...always, ...words]);
  return createServiceClient(url, { authorization: 'Bearer t', api_key: 't' });
}

describe.each(['3.0', '3.1'])('petstore of OpenAPI %s', (version) => {
  const document = published(`${version}/json/petstore.json`);

  test.skipIf(!existsSync(document))(
    `keeps pets under ids of its own, and users under their names ${existsSync(document) ? '' : withoutPublished}`,
    async () => {
      const client = await openClient(document);
      const rex = { name: 'Rex', photoUrls: ['a'], status: 'available' };
      const created = await client.post('/pet', rex);
      expect(created).toMatchObject({ status: 201, body: { id: 1, ...rex } });
      expect(created.headers.get('Cloche-Undeclared')).toBe('other-operations');
      expect(await client.post('/pet', { name: 'Ida', photoUrls: [], status: 'sold' })).toMatchObject({
        body: { id: 2, name: 'Ida' },
      });
      expect(await client.get('/pet/1')).toMatchObject({ status: 200, body: rex });
      expect(await client.get('/pet/findByStatus?status=sold')).toMatchObject({ body: [{ name: 'Ida' }] });
      expect(await client.send('PUT /pet', { ...rex, id: 1, name: 'Max', status: 'sold' })).toMatchObject({
        status: 200,
      });
      expect(await client.get('/pet/findByStatus?status=sold')).toMatchObject({
        body: [{ name: 'Max' }, { name: 'Ida' }],
      });
      expect(await client.get('/pet/findByStatus?status=pending')).toMatchObject({ status: 200, body: [] });
      expect(await client.send('DELETE /pet/1')).toMatchObject({ status: 204 });
      expect(await client.get('/pet/1')).toMatchObject({ status: 404 });
      expect(await client.get('/pet/2')).toMatchObject({ status: 200, body: { name: 'Ida' } });
      expect(await client.post('/user', { username: 'ann', email: 'ann@example.org' })).toMatchObject({
        status: 200,
      });
      expect(await client.send('PUT /user/ann', { username: 'ann', email: 'ann@example.com' })).toMatchObject(
        {
          status: 200,
        },
      );
      expect(await client.get('/user/ann')).toMatchObject({
        status: 200,
        body: { username: 'ann', email: 'ann@example.com' },
      });
      expect(await client.send('DELETE /user/ann')).toMatchObject({ status: 204 });
      expect(await client.get('/user/ann')).toMatchObject({ status: 404 });
      expect(await client.post('/store/order', { petId: 2, quantity: 2 })).toMatchObject({
        status: 200,
        body: { id: 1, petId: 2, quantity: 2 },
      });
      expect(await client.get('/store/order/1')).toMatchObject({ status: 200, body: { quantity: 2 } });
    },
  );
});

const trains = published('3.1/json/train-travel.json');
test.skipIf(!existsSync(trains))(
  `train-travel keeps bookings in an envelope ${existsSync(trains) ? '' : withoutPublished}`,
  async () => {
    const client = await openClient(trains, '--data', 'none');
    const booking = { trip_id: '4f4e4e1c-c824-4d63-b37a-d8d698862f1d', passenger_name: 'Ann' };
    const created = await client.post('/bookings', booking);
    expect(created).toMatchObject({ status: 201, body: booking });
    const { id } = created.body as { readonly id: string }; // `as`: it was compared
    expect(await client.post('/bookings', { passenger_name: 'Ben' })).toMatchObject({ status: 201 });
    expect(await client.get(`/bookings/${id}`)).toMatchObject({ status: 200, body: { ...booking, id } });
    expect(await client.get('/bookings')).toMatchObject({
      body: { data: [{ id, passenger_name: 'Ann' }, { passenger_name: 'Ben' }] },
    });
    expect(await client.send(`DELETE /bookings/${id}`)).toMatchObject({ status: 204 });
    expect(await client.get(`/bookings/${id}`)).toMatchObject({ status: 404 });
    expect(await client.get('/bookings')).toMatchObject({ body: { data: [{ passenger_name: 'Ben' }] } });
  },
);

test('projects hold tasks, which go with them', async () => {
  const client = await openClient(file('documents/projects.yaml'));
  for (const [name, status] of [
    ['Tea', 'open'],
    ['Milk', 'closed'],
    ['Bread', 'open'],
  ]) {
    expect(await client.post('/projects', { name, status })).toMatchObject({ status: 201 });
  }
  const second = { id: 2, name: 'Milk', status: 'closed' };
  expect(await client.get('/projects/2')).toMatchObject({ status: 200, body: second });
  expect(await client.get('/projects?status=open&limit=1&offset=1')).toMatchObject({
    body: { items: [{ id: 3, name: 'Bread' }], total: 2 },
  });
  expect(await client.get('/projects?sort=-name')).toMatchObject({
    body: { items: [{ name: 'Tea' }, { name: 'Milk' }, { name: 'Bread' }] },
  });
  expect(await client.post('/projects/2/tasks', { title: 'Buy' })).toMatchObject({ status: 201 });
  expect(await client.post('/projects/9/tasks', { title: 'Buy' })).toMatchObject({ status: 404 });
  expect(await client.get('/projects/2/tasks')).toMatchObject({ body: [{ title: 'Buy' }] });
  expect(await client.get('/projects/1/tasks')).toMatchObject({ status: 200, body: [] });
  expect(await client.send('PUT /projects/2', { name: 'Oat milk' })).toMatchObject({ status: 200 });
  expect((await client.get('/projects/2')).body).toEqual({ id: 2, name: 'Oat milk' });
  expect(await client.send('PATCH /projects/2', { status: 'open' })).toMatchObject({ status: 200 });
  expect((await client.get('/projects/2')).body).toEqual({ id: 2, name: 'Oat milk', status: 'open' });
  expect(await client.send('DELETE /projects/2')).toMatchObject({ status: 204 });
  for (const path of ['/projects/2', '/projects/2/tasks']) {
    expect(await client.get(path)).toMatchObject({ status: 404 });
  }
  expect(await client.get('/projects')).toMatchObject({ body: { items: [{ id: 1 }, { id: 3 }], total: 2 } });
});

test('flags are made by PUT, changed by a JSON Patch, and listed as a map; settings are there from the start', async () => {
  const client = await openClient(file('documents/flags.yaml'));
  expect(await client.get('/flags')).toMatchObject({ status: 200, body: {} });
  expect(await client.get('/flags/dark%2Fmode')).toMatchObject({ status: 404 });
  expect(await client.send('PUT /flags/dark%2Fmode', { enabled: true, share: 20 })).toMatchObject({
    status: 201,
    body: { enabled: true, share: 20 },
  });
  expect(await client.send('PUT /flags/beta', { enabled: false, note: 'later' })).toMatchObject({
    status: 201,
  });
  expect(await client.send('PUT /flags/beta', { enabled: false })).toMatchObject({ status: 200 });
  expect((await client.get('/flags')).body).toEqual({
    'dark/mode': { enabled: true, share: 20 },
    beta: { enabled: false },
  });
  expect((await client.get('/flags?enabled=true')).body).toEqual({
    'dark/mode': { enabled: true, share: 20 },
  });
  const patch = [
    { op: 'test', path: '/share', value: 20 },
    { op: 'replace', path: '/share', value: 50 },
  ];
  const asPatch = { 'content-type': 'application/json-patch+json' };
  expect(await client.send('PATCH /flags/dark%2Fmode', patch, asPatch)).toMatchObject({
    status: 200,
    body: { enabled: true, share: 50 },
  });
  expect(await client.send('PATCH /flags/dark%2Fmode', patch, asPatch)).toMatchObject({ status: 400 });
  expect((await client.get('/flags/dark%2Fmode')).body).toEqual({ enabled: true, share: 50 });
  expect(await client.send('DELETE /flags/dark%2Fmode')).toMatchObject({ status: 204 });
  expect(await client.get('/flags/dark%2Fmode')).toMatchObject({ status: 404 });
  expect((await client.get('/settings')).body).toEqual({ theme: 'light', pageSize: 20 });
  expect(await client.send('PUT /settings', { theme: 'dark' })).toMatchObject({ status: 200 });
  expect((await client.get('/settings')).body).toEqual({ theme: 'dark', pageSize: 20 });
});

test('articles are kept in the envelopes of JSON:API, and listed by pages with links', async () => {
  const client = await openClient(file('documents/articles.yaml'));
  const type = { 'content-type': 'application/vnd.api+json' };
  const article = (attributes: object): object => ({ data: { type: 'articles', attributes } });
  for (const [title, status] of [
    ['Basil', 'draft'],
    ['Thyme', 'published'],
    ['Mint', 'published'],
  ]) {
    const created = await client.post('/articles', article({ title, status }), type);
    expect(created).toMatchObject({ status: 201, body: article({ title, status }) });
  }
  const { body } = await client.get('/articles?sort=title');
  const { data } = body as { readonly data: readonly { readonly id: string }[] }; // `as`: it is compared below
  const [basil, mint] = data.map(({ id }) => id);
  expect(body).toMatchObject({
    data: [
      { attributes: { title: 'Basil' } },
      { attributes: { title: 'Mint' } },
      { attributes: { title: 'Thyme' } },
    ],
    meta: { total: 3 },
  });
  expect(await client.get(`/articles/${basil}`)).toMatchObject({
    status: 200,
    body: { data: { id: basil, type: 'articles', attributes: { title: 'Basil', status: 'draft' } } },
  });
  const first = await client.get('/articles?filter[status]=published&page[size]=1');
  expect(first).toMatchObject({ body: { data: [{ attributes: { title: 'Thyme' } }], meta: { total: 2 } } });
  const { links } = first.body as { readonly links: { readonly next: string } }; // `as`: so it is declared
  const { pathname, search } = new URL(links.next, 'http://mock');
  expect(await client.get(`${pathname}${search}`)).toMatchObject({
    body: { data: [{ attributes: { title: 'Mint' } }] },
  });
  expect(await client.send(`PATCH /articles/${mint}`, article({ status: 'draft' }), type)).toMatchObject({
    status: 200,
    body: { data: { id: mint, attributes: { title: 'Mint', status: 'draft' } } },
  });
  expect(await client.send(`DELETE /articles/${basil}`)).toMatchObject({ status: 204 });
  expect(await client.get(`/articles/${basil}`)).toMatchObject({ status: 404 });
  expect(await client.get('/articles')).toMatchObject({
    body: {
      data: [{ attributes: { title: 'Thyme' } }, { attributes: { title: 'Mint' } }],
      meta: { total: 2 },
    },
  });
});
