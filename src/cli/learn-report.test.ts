import { expect, test } from 'vitest';
import type { LearnEvent, Learnt, LearntOutcome } from '../learn/events.ts';
import type { BehaviourId } from '../policy/behaviour.ts';
import { createLearnReport, renderDryRun } from './learn-report.ts';

const paint = (_tone: string, text: string): string => text;

function show(...events: readonly LearnEvent[]): string {
  const lines: string[] = [];
  const report = createLearnReport({ paint, width: undefined, writeLine: (line) => lines.push(line) });
  events.forEach((event) => report.read(event));
  return lines.join('\n').replaceAll('\u00A0', ' ');
}

const asked = (question: BehaviourId, outcome: LearntOutcome, operationId = 'createOrder'): LearnEvent => ({
  kind: 'question',
  learnt: { operationId, question, outcome },
});

test('shows each question under its operation, with what asking came to', () => {
  const settled = {
    kind: 'settled',
    answer: 'conflict',
    alike: [],
    seen: 3,
    trials: 3,
    exchanges: [],
  } as const;
  const text = show(
    asked('duplicate-key', settled),
    asked('accept', { ...settled, answer: 'ignore', alike: [406], seen: 2 }),
    asked('echo', { kind: 'masked', by: 'response-extras', why: 'nothing is shown' }),
    asked('int64-range', {
      kind: 'contradictory',
      answers: [
        { answer: 'refuse', seen: 1 },
        { answer: 'accept', seen: 2 },
      ],
      trials: 3,
    }),
    asked('rate-limit', { kind: 'unsettled', why: 'no plain request is accepted' }),
    asked('body-limit', { kind: 'answered', says: '413 is declared', answer: 413 }, 'putOrder'),
    asked('auth-order', { kind: 'not-asked', why: 'it asks for no credentials' }, 'putOrder'),
  );
  expect(text.match(/^\w+Order$/gmu)).toEqual(['createOrder', 'putOrder']);
  expect(text).toContain('  duplicate-key           409 with an error body (3 of 3)');
  expect(text).toContain(
    'the declared media type is sent anyway; cannot be distinguished from: 406 (2 of 3)',
  );
  expect(text).toContain('masked by response-extras: nothing is shown');
  expect(text).toMatch(/contradictory, so left out: .* \(1 of 3\); .* \(2 of 3\)/u);
  expect(text).toContain('open: no plain request is accepted');
  expect(text).toContain('the document says it: 413 is declared (413)');
  expect(text).not.toMatch(/auth-order|not asked|credentials/u);
});

test('says that it waits, and sums up what was learnt', () => {
  const learnt: Learnt = {
    answers: {},
    operations: {},
    questions: [
      {
        operationId: 'a',
        question: 'echo',
        outcome: { kind: 'settled', answer: 'exact', alike: [], seen: 1, trials: 1, exchanges: [] },
      },
      { operationId: 'a', question: 'accept', outcome: { kind: 'unsettled', why: 'it fails' } },
    ],
    interrupted: true,
    requests: 1,
    creates: 1234,
    waits: 2,
  };
  const lines: string[] = [];
  const report = createLearnReport({ paint, width: undefined, writeLine: (line) => lines.push(line) });
  report.read({ kind: 'waiting', status: 429, ms: 999.5 });
  report.end(learnt);
  expect(lines[0]).toBe('  waiting 1000 ms, as the service answered 429');
  expect(lines.at(-1)).toBe(
    'Interrupted: 1 of 2 questions settled so far with 1 request, of which 1,234 may have created something, waiting 2 times where it asked for that.',
  );
  report.end({ ...learnt, interrupted: false, waits: 0, requests: 2 });
  expect(lines.at(-1)).toBe(
    '1 of 2 questions settled with 2 requests, of which 1,234 may have created something.',
  );
});

test('lists what would be sent, equal requests once, and says of credentials only which they are', () => {
  const sent = (
    question: BehaviourId | 'sample',
    headers: readonly (readonly [string, string])[],
    body?: string,
    target = '/orders',
  ): Extract<LearnEvent, { kind: 'exchange' }> => ({
    kind: 'exchange',
    operationId: 'createOrder',
    question,
    // `as`: of an exchange a dry run shows the request alone.
    exchange: {
      request: {
        method: 'POST',
        target,
        headers,
        body: body === undefined ? undefined : new TextEncoder().encode(body),
      },
    } as never,
  });
  const good = ['Authorization', 'Bearer s3cret'] as const;
  const type = ['Content-Type', 'application/json'] as const;
  const lines = renderDryRun(
    [
      sent('sample', [good, type], '{"id":1}'),
      sent('sample', [good, type], '{"id":1}'),
      sent('missing-credentials', [type], '{"id":1}'),
      sent('invalid-credentials', [['Authorization', 'Bearer other'], type], '{"id":1}'),
      sent('invalid-credentials', [['Authorization', 'Digest s3cret'], type], '{"id":1}'),
      sent(
        'accept',
        [good, ['Accept', 'text/csv'], ['Content-Type', 'text/plain']],
        undefined,
        '/orders?key=s3cret',
      ),
      sent('body-limit', [good, type], 'x'.repeat(5000)),
    ],
    { paint, width: undefined, token: 's3cret' },
  );
  const text = lines.join('\n');
  expect(text).toContain(
    'createOrder  which plain request is accepted: 2 requests\n   2 ×  POST /orders  {"id":1}',
  );
  expect(text).toContain('POST /orders  without the token  {"id":1}');
  expect(text).toContain('with another token');
  expect(text).toContain('with another scheme');
  expect(text).toContain('POST /orders?key=…  Accept: text/csv  text/plain  no body');
  expect(text).toContain('5,000 bytes');
  expect(text).not.toContain('s3cret');
  expect(lines.every((line) => line.length <= 100)).toBe(true);
});
