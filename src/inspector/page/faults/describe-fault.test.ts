import { expect, test } from 'vitest';
import { describeFault } from '../faults.tsx';

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
