import { expect, test } from 'vitest';
import {
  createMockClient,
  type MockClient,
  openMock,
  openPlantStore,
} from '../../../fixtures/mock-client.ts';
import type { ClientResponse } from '../../../fixtures/service-client.ts';
import type { MockOptions } from '../mock.ts';

const page = 'http://localhost:5173';

/** A browser sends no credentials with a preflight. */
function preflight({ mock }: MockClient, origin: string, path = '/plants'): Promise<ClientResponse> {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-any',
    'access-control-request-private-network': 'true',
  };
  return createMockClient(mock).send(`OPTIONS ${path}`, undefined, headers);
}

/** The names of the fields by which pages of other origins are let in. */
function corsFields({ headers }: ClientResponse): readonly string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'));
}

test('answers a preflight for any header, on any path, without credentials', async () => {
  const client = await openPlantStore();
  for (const path of ['/plants', '/elsewhere']) {
    const answer = await preflight(client, page, path);
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers.get('access-control-allow-origin')).toBe(page);
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,content-type,x-any');
    expect(answer.headers.get('access-control-max-age')).toMatch(/^\d+$/u);
    expect(answer.headers.get('access-control-allow-private-network')).toBe('true');
    expect(answer.headers.get('vary')).toContain('Access-Control-Request-Headers');
    expect(answer.headers.get('vary')).toContain('Origin');
  }
});

test('lets a page of another origin read every answer with credentials, refusals included', async () => {
  const client = await openPlantStore();
  const origin = 'http://x';
  const answers = [
    await client.post('/plants', '{"id":1,"name":"a"}', { origin }),
    await client.post('/plants', '{', { origin }),
    await client.post('/plants', '{}', { origin, authorization: '' }),
    await client.get('/elsewhere', { origin }),
    await client.post('/plants', '{}', { origin, prefer: 'code=400' }),
    await client.post('/plants', '{}', { origin, 'cloche-fault': 'status=503' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 404, 400, 503]);
  for (const { headers } of answers) {
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    expect(headers.get('vary')).toBe('Origin');
  }
});

test('says nothing of pages to who is none', async () => {
  const answer = await (await openPlantStore()).post('/plants', '{');
  expect(corsFields(answer)).toEqual([]);
  expect(answer.headers.has('vary')).toBe(false);
});

test('lets a page without an origin of its own in', async () => {
  const answer = await (await openPlantStore()).post('/plants', '{', { origin: 'null' });
  expect(answer.headers.get('access-control-allow-origin')).toBe('null');
});

test('shows a page the fields that a fault rule adds', async () => {
  const answer = { status: 503, headers: { 'X-Reason': 'maintenance' } };
  const client = await openPlantStore({ faults: [{ answer }] });
  const { headers } = await client.post('/plants', '{', { origin: page });
  expect(headers.get('x-reason')).toBe('maintenance');
  expect(headers.get('access-control-expose-headers')).toMatch(/, X-Reason(?:,|$)/u);
});

function openBehindGateway(options: MockOptions): Promise<MockClient> {
  const text = { required: true, schema: { type: 'string' } } as const;
  const headers = {
    'Access-Control-Allow-Origin': text,
    'access-control-allow-credentials': text,
    'Access-Control-Expose-Headers': text,
    Vary: text,
  };
  const get = { operationId: 'listThings', responses: { 200: { description: 'things', headers } } };
  const info = { title: 'behind a gateway', version: '1' };
  return openMock({ openapi: '3.1.0', info, paths: { '/things': { get } } }, options);
}

test.each(['', 'code=200'])(
  'puts its own fields in the place of those that a document declares (%j)',
  async (prefer) => {
    const client = await openBehindGateway({});
    const { headers } = await client.get('/things', { origin: page, prefer });
    expect(headers.get('access-control-allow-origin')).toBe(page);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('access-control-expose-headers')).toMatch(/^Vary, WWW-Authenticate,/u);
    expect(headers.get('vary')).toMatch(/, Origin$/u);
  },
);

test('lets no other origin in by the fields that a document declares, and leaves them to who is no page', async () => {
  const client = await openBehindGateway({ cors: { origins: ['http://a'] } });
  expect(corsFields(await client.get('/things', { origin: page }))).toEqual([]);
  expect(corsFields(await client.get('/things'))).toHaveLength(3);
});

test('leaves the fields alone that a fault rule gives, so that a page can be shut out', async () => {
  const answer = { status: 503, headers: { 'access-control-ALLOW-origin': 'https://elsewhere.example' } };
  const client = await openPlantStore({ faults: [{ answer }] });
  const { headers } = await client.post('/plants', '{', { origin: page });
  expect(headers.get('access-control-allow-origin')).toBe('https://elsewhere.example');
  expect(headers.get('access-control-allow-credentials')).toBe('true');
});

test('notes no fields of an answer that is dropped', async () => {
  const client = await openPlantStore({ faults: [{ connection: 'drop' }] });
  await expect(client.post('/plants', '{', { origin: page })).rejects.toThrow('fetch failed');
  expect(client.mock.requests.list()[0]?.response).toMatchObject({ headers: [] });
});

test('lets only the origins in that it was told', async () => {
  const client = await openPlantStore({ cors: { origins: [`${page}/`, 'https://App.example.com'] } });
  for (const origin of [page, 'https://app.example.com']) {
    expect((await client.post('/plants', '{', { origin })).headers.get('access-control-allow-origin')).toBe(
      origin,
    );
    expect((await preflight(client, origin)).headers.get('access-control-allow-origin')).toBe(origin);
  }
  for (const origin of ['http://localhost:5174', 'https://localhost:5173', 'null']) {
    const answer = await client.post('/plants', '{', { origin });
    expect([answer.status, corsFields(answer), answer.headers.get('vary')]).toEqual([400, [], 'Origin']);
    const asked = await preflight(client, origin);
    expect([asked.status, corsFields(asked), asked.headers.get('vary')]).toEqual([204, [], 'Origin']);
  }
});

test('answers any page alike where none is to send credentials', async () => {
  const { headers } = await (
    await openPlantStore({ cors: { credentials: false } })
  ).post('/plants', '{', { origin: page });
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.has('access-control-allow-credentials')).toBe(false);
  expect(headers.has('vary')).toBe(false);
});

test('answers a preflight as any OPTIONS where no page is let in', async () => {
  const client = await openPlantStore({ cors: false });
  const asked = await preflight(client, page);
  expect([asked.status, corsFields(asked)]).toEqual([204, []]);
  expect(corsFields(await client.post('/plants', '{', { origin: page }))).toEqual([]);
});

test.each(['localhost:5173', 'http://a/b', 'http://u@a', 'http://*.a', '*', '', 'file:///a'])(
  'refuses %j for an origin',
  async (origin) => {
    await expect(openPlantStore({ cors: { origins: [origin] } })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining(
        `Failed to accept the origin "${origin.replace('u@', '***@')}": it is no origin of a page.`,
      ),
    });
  },
);
