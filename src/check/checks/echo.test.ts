import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { buildContract } from '../../contract/build.ts';
import { createRouter } from '../../contract/router.ts';
import { judgeExchange } from '../judge.ts';

const utf8 = new TextEncoder();
const account = {
  type: 'object',
  required: ['id', 'password'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    password: { type: 'string', writeOnly: true },
    made: { type: 'string', readOnly: true },
  },
};
const content = { 'application/json': { schema: account } };
const contract = buildContract({
  source: 'accounts.yaml',
  version: '3.1',
  openapi: '3.1.0',
  locate: () => undefined,
  root: {
    paths: {
      '/accounts': {
        post: { requestBody: { content }, responses: { '201': { description: 'made', content } } },
      },
    },
  },
});

/** The causes of what the check finds in an answer to a create. */
function causesOf(sent: string, answer: string): readonly string[] {
  const { findings } = judgeExchange({
    exchange: {
      request: {
        method: 'POST',
        target: '/accounts',
        headers: [['Content-Type', 'application/json']],
        body: utf8.encode(sent),
      },
      answer: {
        kind: 'response',
        response: {
          status: 201,
          headers: [['Content-Type', 'application/json']],
          body: utf8.encode(answer),
        },
      },
      durationMs: 1,
    },
    route: createRouter(contract)('/accounts'),
    framing: 'content-length',
    keyState: () => 'allocated',
    context: createCheckContext(contract, { echo: 'violation' }),
  });
  return findings.flatMap(({ check, cause }) => (check === 'echo' ? [cause] : []));
}

test('asks back what travels both ways alone', () => {
  const sent = '{"id":5,"name":"Ada","password":"secret","made":"now"}';
  expect(causesOf(sent, '{"id":5,"name":"Ada","made":"then"}')).toEqual([]);
  expect(causesOf(sent, '{"id":5,"name":"Eve","made":"then"}')).toEqual(['name changed']);
});
