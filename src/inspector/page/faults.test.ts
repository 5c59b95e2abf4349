import { expect, test } from 'vitest';
import { describeFault, type FaultDraft, toRule } from './faults.tsx';

test.each([
  [{ answer: { status: 503 } }, 'Every request gets 503'],
  [{ answer: { status: 429, retryAfter: 2 }, times: 3 }, 'Every request gets 429, Retry-After 2; the next 3'],
  [{ delay: [1_000, 2_500], operation: 'list' }, 'list waits 1 s to 2.5 s'],
  [{ delay: 250, connection: 'truncate' }, 'Every request waits 250 ms, gets half a body'],
  [
    { connection: 'drop', share: 0.2, method: 'get', path: '/a' },
    'GET /a loses its connection; 20 % of them',
  ],
] as const)('describes %j as: %s', (rule, words) => {
  expect(describeFault(rule)).toBe(words);
});

const draft: FaultDraft = {
  kind: 'answer',
  operation: '',
  status: '503',
  retryAfter: '2',
  from: '100',
  to: '',
  times: '',
  share: '',
};

test.each([
  [{}, { answer: { status: 503 } }],
  [{ kind: 'rate-limit' }, { answer: { status: 429, retryAfter: 2 } }],
  [{ kind: 'delay' }, { delay: 100 }],
  [{ kind: 'delay', to: '200' }, { delay: [100, 200] }],
  [
    { kind: 'drop', times: '3', share: '12.5' },
    { connection: 'drop', times: 3, share: 0.125 },
  ],
  [
    { kind: 'truncate', operation: 'list', share: '100' },
    { connection: 'truncate', operation: 'list' },
  ],
] as const)('makes a rule of %j', (part, rule) => {
  expect(toRule({ ...draft, ...part })).toEqual(rule);
});
