import { expect, test } from 'vitest';
import { type FaultDraft, toRule } from '../faults.tsx';

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
