import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { createRouter } from '../../contract/router.ts';
import { judgeExchange } from '../judge.ts';
import { rememberCursors } from './cursors.ts';
import type { CheckedExchange } from './subject.ts';

const event = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const page = {
  type: 'object',
  required: ['items'],
  properties: { items: { type: 'array', items: event }, nextPageToken: { type: 'string' } },
};
const json = (schema: typeof event | typeof page) => ({
  description: '',
  content: { 'application/json': { schema } },
});
const contract = contractOf({
  paths: {
    '/events': {
      get: {
        operationId: 'listEvents',
        parameters: [{ name: 'pageToken', in: 'query', schema: { type: 'string' } }],
        responses: { '200': json(page) },
      },
      post: { responses: { '201': json(event) } },
    },
  },
});

function judge(query: string, status: number, body: string, cursors: ReadonlySet<string>): CheckedExchange {
  return judgeExchange({
    exchange: {
      request: { method: 'GET', target: `/events${query}`, headers: [], body: undefined },
      answer: {
        kind: 'response',
        response: {
          status,
          headers: [['Content-Type', 'application/json']],
          body: new TextEncoder().encode(body),
        },
      },
      durationMs: 1,
    },
    route: createRouter(contract)('/events'),
    framing: 'content-length',
    keyState: () => 'none',
    context: { ...createCheckContext(contract), cursors },
  });
}

test('an undeclared refusal may be of a cursor that no answer gave, and not of one that an answer gave', () => {
  const cursors = new Set<string>();
  rememberCursors(cursors, judge('', 200, '{"items":[{"id":1}],"nextPageToken":"a b"}', cursors));
  const levels = (query: string): readonly string[] =>
    judge(query, 404, '{}', cursors).findings.map(({ check, level }) => `${level} ${check}`);
  expect(levels('?pageToken=other')).not.toContain('violation undeclared-status');
  expect(levels('?pageToken=a%20b')).toContain('violation undeclared-status');
});
