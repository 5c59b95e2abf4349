import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createMock } from './create-mock.ts';
import type { Mock, MockOptions } from './mock.ts';

const plantStore = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));
const good = { authorization: 'Bearer t0ken', 'content-type': 'application/json' };
const page = 'http://localhost:5173';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function send(mock: Mock, init: RequestInit, target = '/plants'): Promise<Answer> {
  const response = await mock.fetch(target, { method: 'POST', headers: good, ...init });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

function post(mock: Mock, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send(mock, { body, headers: { ...good, ...headers } });
}

function preflight(mock: Mock, origin: string, target?: string): Promise<Answer> {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-any',
    'access-control-request-private-network': 'true',
  };
  return send(mock, { method: 'OPTIONS', headers }, target);
}

function openMock(options: MockOptions = {}): Promise<Mock> {
  return createMock(plantStore, { tokens: ['t0ken'], ...options });
}

/** The names of the fields by which pages of other origins are let in. */
function corsFields({ headers }: Answer): readonly string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'));
}

test('answers a preflight for any header, on any path, without credentials', async () => {
  const mock = await openMock();
  for (const path of ['/plants', '/elsewhere']) {
    const answer = await preflight(mock, page, path);
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
  const mock = await openMock();
  const origin = 'http://x';
  const answers = [
    await post(mock, '{"id":1,"name":"a"}', { origin }),
    await post(mock, '{', { origin }),
    await post(mock, '{}', { origin, authorization: '' }),
    await send(mock, { method: 'GET', headers: { origin } }, '/elsewhere'),
    await post(mock, '{}', { origin, prefer: 'code=400' }),
    await post(mock, '{}', { origin, 'cloche-fault': 'status=503' }),
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
  const answer = await post(await openMock(), '{');
  expect(corsFields(answer)).toEqual([]);
  expect(answer.headers.has('vary')).toBe(false);
});

test('lets a page without an origin of its own in', async () => {
  const answer = await post(await openMock(), '{', { origin: 'null' });
  expect(answer.headers.get('access-control-allow-origin')).toBe('null');
});

test('shows a page the fields that a fault rule adds', async () => {
  const answer = { status: 503, headers: { 'X-Reason': 'maintenance' } };
  const mock = await openMock({ faults: [{ answer }] });
  const { headers } = await post(mock, '{', { origin: page });
  expect(headers.get('x-reason')).toBe('maintenance');
  expect(headers.get('access-control-expose-headers')).toMatch(/, X-Reason(?:,|$)/u);
});

function openBehindGateway(options: MockOptions): Promise<Mock> {
  const text = { required: true, schema: { type: 'string' } } as const;
  const headers = {
    'Access-Control-Allow-Origin': text,
    'access-control-allow-credentials': text,
    'Access-Control-Expose-Headers': text,
    Vary: text,
  };
  const get = { operationId: 'listThings', responses: { 200: { description: 'things', headers } } };
  const info = { title: 'behind a gateway', version: '1' };
  return createMock({ openapi: '3.1.0', info, paths: { '/things': { get } } }, options);
}

test.each(['', 'code=200'])(
  'puts its own fields in the place of those that a document declares (%j)',
  async (prefer) => {
    const mock = await openBehindGateway({});
    const { headers } = await send(mock, { method: 'GET', headers: { origin: page, prefer } }, '/things');
    expect(headers.get('access-control-allow-origin')).toBe(page);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('access-control-expose-headers')).toMatch(/^Vary, WWW-Authenticate,/u);
    expect(headers.get('vary')).toMatch(/, Origin$/u);
  },
);

test('lets no other origin in by the fields that a document declares, and leaves them to who is no page', async () => {
  const mock = await openBehindGateway({ cors: { origins: ['http://a'] } });
  expect(corsFields(await send(mock, { method: 'GET', headers: { origin: page } }, '/things'))).toEqual([]);
  expect(corsFields(await send(mock, { method: 'GET' }, '/things'))).toHaveLength(3);
});

test('leaves the fields alone that a fault rule gives, so that a page can be shut out', async () => {
  const answer = { status: 503, headers: { 'access-control-ALLOW-origin': 'https://elsewhere.example' } };
  const mock = await openMock({ faults: [{ answer }] });
  const { headers } = await post(mock, '{', { origin: page });
  expect(headers.get('access-control-allow-origin')).toBe('https://elsewhere.example');
  expect(headers.get('access-control-allow-credentials')).toBe('true');
});

test('notes no fields of an answer that is dropped', async () => {
  const mock = await openMock({ faults: [{ connection: 'drop' }] });
  await expect(post(mock, '{', { origin: page })).rejects.toThrow('fetch failed');
  expect(mock.requests.list()[0]?.response).toMatchObject({ headers: [] });
});

test('lets only the origins in that it was told', async () => {
  const mock = await openMock({ cors: { origins: [`${page}/`, 'https://App.example.com'] } });
  for (const origin of [page, 'https://app.example.com']) {
    expect((await post(mock, '{', { origin })).headers.get('access-control-allow-origin')).toBe(origin);
    expect((await preflight(mock, origin)).headers.get('access-control-allow-origin')).toBe(origin);
  }
  for (const origin of ['http://localhost:5174', 'https://localhost:5173', 'null']) {
    const answer = await post(mock, '{', { origin });
    expect([answer.status, corsFields(answer), answer.headers.get('vary')]).toEqual([400, [], 'Origin']);
    const asked = await preflight(mock, origin);
    expect([asked.status, corsFields(asked), asked.headers.get('vary')]).toEqual([204, [], 'Origin']);
  }
});

test('answers any page alike where none is to send credentials', async () => {
  const { headers } = await post(await openMock({ cors: { credentials: false } }), '{', { origin: page });
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.has('access-control-allow-credentials')).toBe(false);
  expect(headers.has('vary')).toBe(false);
});

test('answers a preflight as any OPTIONS where no page is let in', async () => {
  const mock = await openMock({ cors: false });
  const asked = await preflight(mock, page);
  expect([asked.status, corsFields(asked)]).toEqual([204, []]);
  expect(corsFields(await post(mock, '{', { origin: page }))).toEqual([]);
});

test.each(['localhost:5173', 'http://a/b', 'http://u@a', 'http://*.a', '*', '', 'file:///a'])(
  'refuses %j for an origin',
  async (origin) => {
    await expect(openMock({ cors: { origins: [origin] } })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining(`Failed to let in the origin "${origin}": it is no origin of a page.`),
    });
  },
);
