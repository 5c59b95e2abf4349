import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { judgeTrace } from '../../../fixtures/judge-trace.ts';
import { loadContract } from '../../contract/load.ts';
import { createPolicy } from '../../policy/policy.ts';
import type { Judged } from '../reading/subject.ts';
import { checkRateLimitKept } from './answer.ts';

const contract = await loadContract(undefined, { followReferences: false });
const context = createCheckContext(contract, {
  policy: createPolicy({ 'rate-limit': { perSecond: 2 } }),
  told: new Set(['rate-limit']),
});

function burst(taken: number, durationMs = 1): readonly Judged[] {
  const rows = Array.from({ length: taken }, (_, index) => ({
    body: JSON.stringify({ id: index + 1, name: 'Basil' }),
    status: 200,
    answer: '{"name":"Basil"}',
  }));
  return judgeTrace(contract, rows).map((judged) => ({
    ...judged,
    exchange: { ...judged.exchange, durationMs },
  }));
}

test('finds drift where more is taken within a second than the policy lets in', () => {
  expect(checkRateLimitKept(burst(5), context).map(({ cause }) => cause)).toEqual(['rate-limit not kept']);
});

test('concludes nothing where two seconds may have met, or the answers took too long', () => {
  expect(checkRateLimitKept(burst(4), context)).toEqual([]);
  expect(checkRateLimitKept(burst(5, 950), context)).toEqual([]);
});

test('holds nobody to a limit that was not told', () => {
  expect(checkRateLimitKept(burst(5), { ...context, told: new Set() })).toEqual([]);
});
