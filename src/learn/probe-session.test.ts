import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { learnMock } from '../../fixtures/learn-mock.ts';
import { mockToken } from '../../fixtures/run-on-mock.ts';
import { type Answer, headerValue, type HttpRequest, type Send } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';

const document = fileURLToPath(new URL('../../fixtures/documents/projects.yaml', import.meta.url));

test('takes a Location that is no percent-encoded text for what it is', async () => {
  const learnt = await learnMock(
    {},
    {
      document,
      trials: 1,
      questions: ['deleted-again'],
      async intercept(request, send): Promise<Answer> {
        const answer = await send(request, {});
        if (request.method !== 'POST' || answer.kind !== 'response') return answer;
        const headers = [['Location', '/projects/%zz'] as const];
        return { ...answer, response: { ...answer.response, headers, body: new Uint8Array() } };
      },
    },
  );
  expect(learnt.questions.map(({ question }) => question)).toContain('deleted-again');
});

/** Learns from a mock that holds something already, and gives what it holds in the end. */
async function learnOf(
  options: Parameters<typeof learnMock>[1],
): Promise<{ readonly left: JsonValue; readonly changed: readonly string[] }> {
  const own = new Set<string>();
  const changed: string[] = [];
  let known: Send | undefined;
  const authorization = ['Authorization', `Bearer ${mockToken}`] as const;
  const create: HttpRequest = {
    method: 'POST',
    target: '/projects',
    headers: [authorization, ['Content-Type', 'application/json']],
    body: new TextEncoder().encode(JSON.stringify({ name: 'Somebody else’s' })),
  };
  await learnMock(
    {},
    {
      document,
      trials: 1,
      ...options,
      async intercept(request, send) {
        if (known === undefined) await send(create, {});
        known = send;
        const answer = await send(request, {});
        const path = request.target.split('?', 1)[0] ?? '';
        const location =
          answer.kind === 'response' ? headerValue(answer.response.headers, 'location') : undefined;
        if (request.method === 'POST' && location !== undefined)
          own.add(new URL(location, 'http://a').pathname);
        if (['PUT', 'PATCH', 'DELETE'].includes(request.method) && path === '/projects/1') changed.push(path);
        return answer;
      },
    },
  );
  const list = await known?.(
    { method: 'GET', target: '/projects', headers: [authorization], body: undefined },
    {},
  );
  const left =
    list?.kind === 'response' ? JSON.parse(new TextDecoder().decode(list.response.body)) : undefined;
  return { left, changed };
}

test('takes away all that it created, and nothing else', { timeout: 60_000 }, async () => {
  const { left, changed } = await learnOf({});
  expect(JSON.stringify(left).match(/"id"/gu)).toHaveLength(1);
  expect(JSON.stringify(left)).toContain('Somebody else’s');
  expect(changed).toEqual([]);
});

test('takes it away too where it may send no more requests', { timeout: 60_000 }, async () => {
  const { left } = await learnOf({ mostRequests: 40 });
  expect(JSON.stringify(left).match(/"id"/gu)).toHaveLength(1);
});

test('takes it away too where it is told to end', { timeout: 60_000 }, async () => {
  const controller = new AbortController();
  let requests = 0;
  const { left } = await learnOf({
    signal: controller.signal,
    emit({ kind }) {
      requests += kind === 'exchange' ? 1 : 0;
      if (requests === 40) controller.abort();
    },
  });
  expect(JSON.stringify(left).match(/"id"/gu)).toHaveLength(1);
});

test('deletes an item that a PUT created, though none is declared to create one', async () => {
  const left = new Set<string>();
  const learnt = await learnMock(
    { 'unknown-key-replaced': 'create' },
    {
      document,
      trials: 1,
      questions: ['unknown-key-replaced'],
      async intercept(request, send) {
        const answer = await send(request, {});
        const isAccepted = answer.kind === 'response' && answer.response.status < 300;
        if (isAccepted && request.method === 'PUT') left.add(request.target);
        if (isAccepted && request.method === 'DELETE') left.delete(request.target);
        return answer;
      },
    },
  );
  expect(learnt.answers).toEqual({ 'unknown-key-replaced': 'create' });
  expect([...left]).toEqual([]);
});
