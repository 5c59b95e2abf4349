import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { judgeTrace, type TraceRow } from '../../../fixtures/judge-trace.ts';
import { buildContract } from '../../contract/build.ts';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import { judgeExchange } from '../judge.ts';

const utf8 = new TextEncoder();
const account = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    login: { type: 'string', description: 'Kept in lower case.' },
    password: { type: 'string', writeOnly: true },
    made: { type: 'string', readOnly: true },
  },
};
const accounts = (required: string[], further = {}, sent = {}): Contract => {
  const taken = { ...account, required, properties: { ...account.properties, ...sent } };
  const content = { 'application/json': { schema: taken } };
  const shown = { ...account, required, properties: { ...account.properties, ...further } };
  return buildContract({
    source: 'accounts.yaml',
    version: '3.1',
    openapi: '3.1.0',
    locate: () => undefined,
    root: {
      paths: {
        '/accounts': {
          post: {
            requestBody: { content },
            responses: { '201': { description: 'made', content: { 'application/json': { schema: shown } } } },
          },
        },
      },
    },
  });
};

/** The causes of what the check finds in an answer to a create. */
function causesOf(sent: string, answer: string, contract = accounts(['id', 'password'])): readonly string[] {
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

test('asks nothing back that travels one way in one of several shapes of an object', () => {
  const hidden = { type: 'string', writeOnly: true };
  const card = { properties: { kind: { const: 'card' }, cvc: hidden, place: { type: 'string' } } };
  const bank = { properties: { kind: { const: 'bank' }, account: { type: 'string' } } };
  const source = { source: { type: 'object', anyOf: [card, bank] } };
  const sent = '{"source":{"kind":"card","cvc":"123","place":"Rome"}}';
  const causes = (answer: string): readonly string[] => causesOf(sent, answer, accounts([], source, source));
  expect(causes('{"source":{"kind":"card","place":"Rome"}}')).toEqual([]);
  expect(causes('{"source":{"kind":"card","place":"Oslo"}}')).toEqual(['source changed']);
});

test('asks nothing back that the request has as read-only, though its answer does not', () => {
  const further = accounts(['id'], {}, { name: { type: 'string', readOnly: true } });
  expect(causesOf('{"id":5,"name":"Ada"}', '{"id":5}', further)).toEqual([]);
});

test('asks nothing back that a request may hold, and does not declare', () => {
  const further = accounts(['id'], { note: { type: 'string' } });
  expect(causesOf('{"id":5,"name":"Ada","note":"hi"}', '{"id":5,"name":"Ada"}', further)).toEqual([]);
});

test('asks no text back in a format that the answer does not have', () => {
  const time = { type: 'string', format: 'date-time' };
  const document = accounts(['id'], { made: time }, { made: { ...time, format: 'date' } });
  const sent = '{"id":5,"name":"Ada","made":"2026-01-01"}';
  expect(causesOf(sent, '{"id":5,"name":"Ada","made":"2026-01-01T00:00:00Z"}', document)).toEqual([]);
  expect(causesOf(sent, '{"id":5,"name":"Eve","made":"2026-01-01T00:00:00Z"}', document)).toEqual([
    'name changed',
  ]);
});

test('asks no id back that the service makes, though a client may send one', () => {
  const optional = accounts(['password']);
  expect(causesOf('{"id":5,"name":"Ada","password":"secret"}', '{"id":1,"name":"Ada"}', optional)).toEqual(
    [],
  );
  expect(causesOf('{"id":5,"name":"Ada","password":"secret"}', '{"id":1,"name":"Eve"}', optional)).toEqual([
    'name changed',
  ]);
  expect(causesOf('{"id":5,"name":"Ada","password":"secret"}', '{"id":1,"name":"Ada"}')).toEqual([
    'id changed',
  ]);
});

test('takes what the document says that the service makes of a value for what was sent', () => {
  expect(causesOf('{"id":5,"login":"Ada","password":"secret"}', '{"id":5,"login":"ada"}')).toEqual([]);
  expect(causesOf('{"id":5,"login":"Ada","password":"secret"}', '{"id":5,"login":"eve"}')).toEqual([
    'login changed',
  ]);
  expect(causesOf('{"id":5,"name":"Ada","password":"secret"}', '{"id":5,"name":"ada"}')).toEqual([
    'name changed',
  ]);
});

const contract = await loadContract(undefined, { followReferences: false });

/** What is found in one answer, where another request sent `kWqzRt` as its tag. */
function crossTalkOf(row: Omit<TraceRow, 'status'>): readonly string[] {
  const wasSent = (operation: string, text: string): boolean =>
    operation === contract.operations[0]?.id && text === 'kWqzRt';
  const [judged] = judgeTrace(contract, [{ ...row, status: 200 }], { echo: 'violation', wasSent });
  return (judged?.findings ?? []).flatMap(({ check, cause, level }) =>
    level === 'note' ? [] : [`${check}: ${cause}`],
  );
}

test('finds what another request sent in the place of what was not sent', () => {
  const body = '{"id":1000,"name":"fern"}';
  expect(crossTalkOf({ body, answer: '{"name":"fern","tag":"kWqzRt"}' })).toEqual([
    'cross-talk: tag of another request',
  ]);
});

test('finds what another request sent in the place of what was sent, and says nothing of echo', () => {
  const body = '{"id":1000,"name":"fern","tag":"shade"}';
  expect(crossTalkOf({ body, answer: '{"name":"kWqzRt","tag":"shade"}' })).toEqual([
    'cross-talk: name of another request',
  ]);
});

test('leaves a text that nobody sent to echo', () => {
  const body = '{"id":1000,"name":"fern"}';
  expect(crossTalkOf({ body, answer: '{"name":"xWqzRt"}' })).toEqual(['echo: name changed']);
  expect(crossTalkOf({ body, answer: '{"name":"fern","tag":"xWqzRt"}' })).toEqual([]);
});

test('takes a text for its own where the request held it too', () => {
  const body = '{"id":1000,"name":"kWqzRt"}';
  expect(crossTalkOf({ body, answer: '{"name":"kWqzRt"}' })).toEqual([]);
  expect(crossTalkOf({ body, answer: '{"name":"kWqzRt","tag":"kWqzRt"}' })).toEqual([]);
});

test.each(['sent', 'chosen'] as const)('does not judge an answer to a key that was %s', (key) => {
  const body = '{"id":1000,"name":"fern"}';
  expect(crossTalkOf({ body, key, answer: '{"name":"fern","tag":"kWqzRt"}' })).toEqual([]);
});
