import { expect, test } from 'vitest';
import { createCheckContext } from '../../fixtures/create-check-context.ts';
import { loadContract } from '../contract/load.ts';
import { createRouter } from '../contract/router.ts';
import type { HeaderList } from '../http/message.ts';
import { judgeExchange } from './judge.ts';
import type { ClassifiedRequest } from './classify/subject.ts';

const contract = await loadContract(undefined, { followReferences: false });
const route = createRouter(contract);
const refusal = '{"error":400,"message":"no"}';

interface Case {
  readonly method?: string;
  readonly target?: string;
  readonly authorization?: string;
  readonly headers?: HeaderList;
  readonly contentType?: string;
  readonly body?: string;
  readonly key?: ClassifiedRequest['key'];
  readonly status: number;
  readonly answer?: string;
}

/** What is observed, as `question: answer`. */
function observe(input: Case): readonly string[] {
  const request = {
    method: input.method ?? 'POST',
    target: input.target ?? '/plants',
    headers: [
      ['Authorization', input.authorization ?? 'Bearer good'] as const,
      ['Content-Type', input.contentType ?? 'application/json'] as const,
      ...(input.headers ?? []),
    ],
    body: Buffer.from(input.body ?? '{"id":17,"name":"Basil"}'),
  };
  const body = Buffer.from(input.answer ?? (input.status < 300 ? '{"name":"Basil"}' : refusal));
  const headers: HeaderList = [['Content-Type', 'application/json']];
  const answer = { kind: 'response', response: { status: input.status, headers, body } } as const;
  const judged = judgeExchange({
    exchange: { request, answer, durationMs: 1 },
    route: route(request.target),
    framing: 'content-length',
    keyState: () => input.key ?? 'allocated',
    context: createCheckContext(contract, { goodTokens: ['good'], longestPlainBody: 100 }),
  });
  return judged.findings.flatMap(({ check, clause, received }) =>
    check === 'left-open' && clause.kind === 'policy' ? [`${clause.question}: ${received}`] : [],
  );
}

test.each<[seen: string, Case]>([
  ['missing-credentials: 400 application/json', { authorization: 'Basic dTpw', status: 400 }],
  ['invalid-credentials: 403 application/json', { authorization: 'Bearer bad', status: 403 }],
  ['error-codes: the HTTP status', { body: '{}', status: 400 }],
  ['error-codes: another number', { body: '{}', status: 400, answer: '{"error":17,"message":"no"}' }],
  ['error-codes: another number', { body: '{}', status: 400, answer: '{"error":17,"count":3}' }],
  ['error-codes: the HTTP status', { body: '{}', status: 400, answer: '{"status":400,"message":"no"}' }],
  ['unsupported-media-type: refused (400)', { contentType: 'text/plain', status: 400 }],
  ['unsupported-media-type: read anyway (200)', { contentType: 'text/plain', status: 200 }],
  [
    'body-limit: 64 KiB and more refused (413)',
    { body: `{"id":17,"name":"${'x'.repeat(70_000)}"}`, status: 413 },
  ],
  ['undeclared-properties: refused (400)', { body: '{"id":17,"name":"Basil","x":1}', status: 400 }],
  ['int64-range: taken (200)', { body: '{"id":9223372036854775808,"name":"Basil"}', status: 200 }],
  ['integer-notation: refused (400)', { body: '{"id":17.0,"name":"Basil"}', status: 400 }],
  ['duplicate-keys-in-json: taken (200)', { body: '{"id":1,"id":17,"name":"Basil"}', status: 200 }],
  ['response-extras: also id', { status: 200, answer: '{"id":17,"name":"Basil"}' }],
  ['accept: ignored (200)', { headers: [['Accept', 'image/png']], status: 200 }],
  ['accept: refused (406)', { headers: [['Accept', 'image/png']], status: 406 }],
  ['other-operations: 405 for another method', { method: 'GET', status: 405 }],
  ['other-operations: 404 for another path', { target: '/nowhere', status: 404 }],
])('sees %s', (seen, input) => {
  expect(observe(input)).toContain(seen);
});

test('sees nothing where something else explains the answer', () => {
  const outside = '{"id":9223372036854775808,"name":"Basil"}';
  expect(observe({ body: outside, key: 'sent', status: 400 })).toEqual(['error-codes: the HTTP status']);
  expect(observe({ body: outside, authorization: 'Bearer bad', status: 401, answer: '{}' })).toEqual([
    'invalid-credentials: 401 application/json',
  ]);
  expect(observe({ contentType: 'text/plain', status: 500 })).toEqual([]);
});

test('a body that is nested deep says nothing of its undeclared properties', () => {
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
  expect(observe({ body: `{"id":17,"name":"Basil","x":${deep}}`, status: 400 })).not.toContainEqual(
    expect.stringContaining('undeclared-properties'),
  );
});
