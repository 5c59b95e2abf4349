import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { clocheMain } from '../../fixtures/run-cloche.ts';

beforeAll(() => buildWhenStale());

const file = (place: string): string => fileURLToPath(new URL(`../../fixtures/${place}`, import.meta.url));

/** Documents that others published, as they published them. */
const published = (place: string): string => file(`interop/node_modules/@readme/oas-examples/${place}`);
const withoutPublished = '(left out until `npm ci` was run in fixtures/interop)';

let running: ChildProcess | undefined;
afterEach(async () => {
  if (running?.kill() === true) await once(running, 'exit');
  running = undefined;
});

interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

type Ask = (method: string, path: string, body?: unknown, type?: string) => Promise<Answered>;

/** Starts a mock by the command, as a user does, and gives what sends it requests. */
async function startMock(document: string, ...words: readonly string[]): Promise<Ask> {
  const always = ['--port', '0', '--token', 't', '--no-watch', '--quiet'];
  const child = spawn(process.execPath, [clocheMain, 'mock', document, ...always, ...words]);
  running = child;
  const url = await new Promise<string>((resolve, reject) => {
    let told = '';
    child.stderr.on('data', (bytes) => (told += String(bytes)));
    child.stdout.on('data', (bytes) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/u.exec(String(bytes)) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the mock ended with ${code}: ${told}`)));
  });
  return async (method, path, body, type = 'application/json') => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: 'Bearer t',
        api_key: 't',
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      body: isJson && text !== '' ? JSON.parse(text) : text,
      headers: response.headers,
    };
  };
}

describe.each(['3.0', '3.1'])('petstore of OpenAPI %s', (version) => {
  const document = published(`${version}/json/petstore.json`);

  test.skipIf(!existsSync(document))(
    `keeps pets under ids of its own, and users under their names ${existsSync(document) ? '' : withoutPublished}`,
    async () => {
      const ask = await startMock(document);
      const rex = { name: 'Rex', photoUrls: ['a'], status: 'available' };
      const created = await ask('POST', '/pet', rex);
      expect(created).toMatchObject({ status: 201, body: { id: 1, ...rex } });
      expect(created.headers.get('Cloche-Undeclared')).toBe('other-operations');
      expect(await ask('POST', '/pet', { name: 'Ida', photoUrls: [], status: 'sold' })).toMatchObject({
        body: { id: 2, name: 'Ida' },
      });
      expect(await ask('GET', '/pet/1')).toMatchObject({ status: 200, body: rex });
      expect(await ask('GET', '/pet/findByStatus?status=sold')).toMatchObject({ body: [{ name: 'Ida' }] });
      expect(await ask('PUT', '/pet', { ...rex, id: 1, name: 'Max', status: 'sold' })).toMatchObject({
        status: 200,
      });
      expect(await ask('GET', '/pet/findByStatus?status=sold')).toMatchObject({
        body: [{ name: 'Max' }, { name: 'Ida' }],
      });
      expect(await ask('GET', '/pet/findByStatus?status=pending')).toMatchObject({ status: 200, body: [] });
      expect(await ask('DELETE', '/pet/1')).toMatchObject({ status: 204 });
      expect(await ask('GET', '/pet/1')).toMatchObject({ status: 404 });
      expect(await ask('GET', '/pet/2')).toMatchObject({ status: 200, body: { name: 'Ida' } });
      expect(await ask('POST', '/user', { username: 'ann', email: 'ann@example.org' })).toMatchObject({
        status: 200,
      });
      expect(await ask('PUT', '/user/ann', { username: 'ann', email: 'ann@example.com' })).toMatchObject({
        status: 200,
      });
      expect(await ask('GET', '/user/ann')).toMatchObject({
        status: 200,
        body: { username: 'ann', email: 'ann@example.com' },
      });
      expect(await ask('DELETE', '/user/ann')).toMatchObject({ status: 204 });
      expect(await ask('GET', '/user/ann')).toMatchObject({ status: 404 });
      expect(await ask('POST', '/store/order', { petId: 2, quantity: 2 })).toMatchObject({
        status: 200,
        body: { id: 1, petId: 2, quantity: 2 },
      });
      expect(await ask('GET', '/store/order/1')).toMatchObject({ status: 200, body: { quantity: 2 } });
    },
  );
});

const trains = published('3.1/json/train-travel.json');
test.skipIf(!existsSync(trains))(
  `train-travel keeps bookings in an envelope ${existsSync(trains) ? '' : withoutPublished}`,
  async () => {
    const ask = await startMock(trains, '--data', 'none');
    const booking = { trip_id: '4f4e4e1c-c824-4d63-b37a-d8d698862f1d', passenger_name: 'Ann' };
    const created = await ask('POST', '/bookings', booking);
    expect(created).toMatchObject({ status: 201, body: booking });
    const { id } = created.body as { readonly id: string }; // `as`: it was compared
    expect(await ask('POST', '/bookings', { passenger_name: 'Ben' })).toMatchObject({ status: 201 });
    expect(await ask('GET', `/bookings/${id}`)).toMatchObject({ status: 200, body: { ...booking, id } });
    expect(await ask('GET', '/bookings')).toMatchObject({
      body: { data: [{ id, passenger_name: 'Ann' }, { passenger_name: 'Ben' }] },
    });
    expect(await ask('DELETE', `/bookings/${id}`)).toMatchObject({ status: 204 });
    expect(await ask('GET', `/bookings/${id}`)).toMatchObject({ status: 404 });
    expect(await ask('GET', '/bookings')).toMatchObject({ body: { data: [{ passenger_name: 'Ben' }] } });
  },
);

test('projects hold tasks, which go with them', async () => {
  const ask = await startMock(file('documents/projects.yaml'));
  for (const [name, status] of [
    ['Tea', 'open'],
    ['Milk', 'closed'],
    ['Bread', 'open'],
  ]) {
    expect(await ask('POST', '/projects', { name, status })).toMatchObject({ status: 201 });
  }
  const second = { id: 2, name: 'Milk', status: 'closed' };
  expect(await ask('GET', '/projects/2')).toMatchObject({ status: 200, body: second });
  expect(await ask('GET', '/projects?status=open&limit=1&offset=1')).toMatchObject({
    body: { items: [{ id: 3, name: 'Bread' }], total: 2 },
  });
  expect(await ask('GET', '/projects?sort=-name')).toMatchObject({
    body: { items: [{ name: 'Tea' }, { name: 'Milk' }, { name: 'Bread' }] },
  });
  expect(await ask('POST', '/projects/2/tasks', { title: 'Buy' })).toMatchObject({ status: 201 });
  expect(await ask('POST', '/projects/9/tasks', { title: 'Buy' })).toMatchObject({ status: 404 });
  expect(await ask('GET', '/projects/2/tasks')).toMatchObject({ body: [{ title: 'Buy' }] });
  expect(await ask('GET', '/projects/1/tasks')).toMatchObject({ status: 200, body: [] });
  expect(await ask('PUT', '/projects/2', { name: 'Oat milk' })).toMatchObject({ status: 200 });
  expect((await ask('GET', '/projects/2')).body).toEqual({ id: 2, name: 'Oat milk' });
  expect(await ask('PATCH', '/projects/2', { status: 'open' })).toMatchObject({ status: 200 });
  expect((await ask('GET', '/projects/2')).body).toEqual({ id: 2, name: 'Oat milk', status: 'open' });
  expect(await ask('DELETE', '/projects/2')).toMatchObject({ status: 204 });
  for (const path of ['/projects/2', '/projects/2/tasks']) {
    expect(await ask('GET', path)).toMatchObject({ status: 404 });
  }
  expect(await ask('GET', '/projects')).toMatchObject({ body: { items: [{ id: 1 }, { id: 3 }], total: 2 } });
});

test('flags are made by PUT, changed by a JSON Patch, and listed as a map; settings are there from the start', async () => {
  const ask = await startMock(file('documents/flags.yaml'));
  expect(await ask('GET', '/flags')).toMatchObject({ status: 200, body: {} });
  expect(await ask('GET', '/flags/dark%2Fmode')).toMatchObject({ status: 404 });
  expect(await ask('PUT', '/flags/dark%2Fmode', { enabled: true, share: 20 })).toMatchObject({
    status: 201,
    body: { enabled: true, share: 20 },
  });
  expect(await ask('PUT', '/flags/beta', { enabled: false, note: 'later' })).toMatchObject({ status: 201 });
  expect(await ask('PUT', '/flags/beta', { enabled: false })).toMatchObject({ status: 200 });
  expect((await ask('GET', '/flags')).body).toEqual({
    'dark/mode': { enabled: true, share: 20 },
    beta: { enabled: false },
  });
  expect((await ask('GET', '/flags?enabled=true')).body).toEqual({
    'dark/mode': { enabled: true, share: 20 },
  });
  const patch = [
    { op: 'test', path: '/share', value: 20 },
    { op: 'replace', path: '/share', value: 50 },
  ];
  const asPatch = 'application/json-patch+json';
  expect(await ask('PATCH', '/flags/dark%2Fmode', patch, asPatch)).toMatchObject({
    status: 200,
    body: { enabled: true, share: 50 },
  });
  expect(await ask('PATCH', '/flags/dark%2Fmode', patch, asPatch)).toMatchObject({ status: 400 });
  expect((await ask('GET', '/flags/dark%2Fmode')).body).toEqual({ enabled: true, share: 50 });
  expect(await ask('DELETE', '/flags/dark%2Fmode')).toMatchObject({ status: 204 });
  expect(await ask('GET', '/flags/dark%2Fmode')).toMatchObject({ status: 404 });
  expect((await ask('GET', '/settings')).body).toEqual({ theme: 'light', pageSize: 20 });
  expect(await ask('PUT', '/settings', { theme: 'dark' })).toMatchObject({ status: 200 });
  expect((await ask('GET', '/settings')).body).toEqual({ theme: 'dark', pageSize: 20 });
});

test('articles are kept in the envelopes of JSON:API, and listed by pages with links', async () => {
  const ask = await startMock(file('documents/articles.yaml'));
  const type = 'application/vnd.api+json';
  const article = (attributes: object): object => ({ data: { type: 'articles', attributes } });
  for (const [title, status] of [
    ['Basil', 'draft'],
    ['Thyme', 'published'],
    ['Mint', 'published'],
  ]) {
    const created = await ask('POST', '/articles', article({ title, status }), type);
    expect(created).toMatchObject({ status: 201, body: article({ title, status }) });
  }
  const { body } = await ask('GET', '/articles?sort=title');
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
  expect(await ask('GET', `/articles/${basil}`)).toMatchObject({
    status: 200,
    body: { data: { id: basil, type: 'articles', attributes: { title: 'Basil', status: 'draft' } } },
  });
  const first = await ask('GET', '/articles?filter[status]=published&page[size]=1');
  expect(first).toMatchObject({ body: { data: [{ attributes: { title: 'Thyme' } }], meta: { total: 2 } } });
  const { links } = first.body as { readonly links: { readonly next: string } }; // `as`: so it is declared
  const { pathname, search } = new URL(links.next, 'http://mock');
  expect(await ask('GET', `${pathname}${search}`)).toMatchObject({
    body: { data: [{ attributes: { title: 'Mint' } }] },
  });
  expect(await ask('PATCH', `/articles/${mint}`, article({ status: 'draft' }), type)).toMatchObject({
    status: 200,
    body: { data: { id: mint, attributes: { title: 'Mint', status: 'draft' } } },
  });
  expect(await ask('DELETE', `/articles/${basil}`)).toMatchObject({ status: 204 });
  expect(await ask('GET', `/articles/${basil}`)).toMatchObject({ status: 404 });
  expect(await ask('GET', '/articles')).toMatchObject({
    body: {
      data: [{ attributes: { title: 'Thyme' } }, { attributes: { title: 'Mint' } }],
      meta: { total: 2 },
    },
  });
});
