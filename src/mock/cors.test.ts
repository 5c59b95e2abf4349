import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createMock } from './create-mock.ts';
import type { Mock } from './mock.ts';

const plantStore = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));
const good = { authorization: 'Bearer t0ken', 'content-type': 'application/json' };

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

function openMock(): Promise<Mock> {
  return createMock(plantStore, { tokens: ['t0ken'] });
}

test('answers a preflight for any header, on any path, without credentials', async () => {
  const mock = await openMock();
  const headers = {
    origin: 'http://localhost:5173',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-any',
    'access-control-request-private-network': 'true',
  };
  for (const path of ['/plants', '/elsewhere']) {
    const answer = await send(mock, { method: 'OPTIONS', headers }, path);
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,content-type,x-any');
    expect(answer.headers.get('access-control-max-age')).toMatch(/^\d+$/u);
    expect(answer.headers.get('access-control-allow-private-network')).toBe('true');
  }
});

test('lets a page of another origin read every answer, refusals included', async () => {
  const mock = await openMock();
  const answers = [
    await post(mock, '{"id":1,"name":"a"}', { origin: 'http://x' }),
    await post(mock, '{', { origin: 'http://x' }),
    await post(mock, '{}', { origin: 'http://x', authorization: '' }),
    await send(mock, { method: 'GET', headers: { origin: 'null' } }, '/elsewhere'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 404]);
  for (const { headers } of answers) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  }
  expect((await post(mock, '{')).headers.has('access-control-allow-origin')).toBe(false);
});
