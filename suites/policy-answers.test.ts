import { expect, test } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import { answer, body, inPath, object, text } from '../fixtures/own-judge.ts';
import { createPolicy, defaultPolicy } from '../src/policy/policy.ts';
import type { Send } from '../src/http/message.ts';
import { runSuites } from '../src/runner/run.ts';
import { policyAnswers } from './policy-answers.ts';

test('whether values may be equal is not asked of a key, not even of one that cannot be drawn', () => {
  const long = { type: 'string', minLength: 12 };
  const contract = contractOf({
    paths: {
      '/stores': {
        post: {
          operationId: 'addStore',
          requestBody: body(object({ name: long, note: text })),
          responses: { 201: answer() },
        },
      },
      '/stores/{name}': {
        get: {
          operationId: 'getStore',
          parameters: [inPath('name')],
          responses: { 200: answer(object({ name: text, note: text })) },
        },
      },
    },
  });
  const plan = policyAnswers.plan({
    contract,
    policy: defaultPolicy,
    enforced: new Set(['unique-properties']),
    unsafeMethods: true,
  });
  expect(plan.kind === 'properties' && plan.properties.map(({ title }) => title)).toEqual([
    'Of /note a value that another resource has is refused or accepted, as the policy says',
  ]);
});

test.each([
  ['deletes them', true, []],
  ['keeps them for the next shop with the same id', false, ['violation drift deleteShop']],
])('a policy of cascading deletes checks a service that %s', async (_what, isCascading, expected) => {
  const shown = object({ id: text, note: text });
  const contract = contractOf({
    paths: {
      '/shops': {
        post: { operationId: 'addShop', requestBody: body(shown), responses: { 201: answer(shown) } },
      },
      '/shops/{shopId}': {
        parameters: [inPath('shopId')],
        get: { operationId: 'getShop', responses: { 200: answer(shown), 404: answer() } },
        delete: { operationId: 'deleteShop', responses: { 204: answer(), 404: answer() } },
      },
      '/shops/{shopId}/items': {
        parameters: [inPath('shopId')],
        post: { operationId: 'addItem', requestBody: body(shown), responses: { 201: answer(shown) } },
      },
      '/shops/{shopId}/items/{itemId}': {
        parameters: [inPath('shopId'), inPath('itemId')],
        get: { operationId: 'getItem', responses: { 200: answer(shown), 404: answer() } },
      },
    },
  });
  const kept = new Map<string, string>();
  const send: Send = ({ method, target, body: sent }) => {
    const content = new TextDecoder().decode(sent);
    // `as`: the suite sends objects with an id to this document.
    const id = method === 'POST' ? (JSON.parse(content) as { readonly id: string }).id : '';
    const path = method === 'POST' ? `${target}/${id}` : target;
    const [, , shop] = path.split('/');
    const isBelow = path.split('/').length > 3;
    const isThere = (kept.has(path) || method === 'POST') && (!isBelow || kept.has(`/shops/${shop ?? ''}`));
    if (method === 'POST' && isThere) kept.set(path, content);
    const found = isThere && method !== 'DELETE' ? kept.get(path) : undefined;
    if (method === 'DELETE') {
      for (const each of kept.keys()) {
        if (each === path || (isCascading && each.startsWith(`${path}/`))) kept.delete(each);
      }
    }
    const status = !isThere ? 404 : method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200;
    const headers = found === undefined ? [] : [['Content-Type', 'application/json'] as const];
    return Promise.resolve({
      kind: 'response',
      response: { status, headers, body: new TextEncoder().encode(found) },
    });
  };
  const target = {
    contract,
    send,
    socketSend: send,
    policy: createPolicy({ 'deleted-parent': 'cascade' }),
    enforced: new Set(['deleted-parent'] as const),
  };
  const { findings } = await runSuites([policyAnswers], target, { seed: 1, keep: true });
  expect(
    findings.map(({ finding: { level, check, operation } }) => `${level} ${check} ${operation}`),
  ).toEqual(expected);
});
