import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { judgeTrace, type TraceRow } from '../../../fixtures/judge-trace.ts';
import { loadContract } from '../../contract/load.ts';
import { createPolicy } from '../../policy/policy.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import type { CheckedExchange } from '../classify/subject.ts';
import { checkRateLimitKept, checkUniqueProperties } from './answer.ts';

const contract = await loadContract(undefined, { followReferences: false });
const context = createCheckContext(contract, {
  policy: createPolicy({ 'rate-limit': { perSecond: 2 } }),
  enforced: new Set(['rate-limit']),
});

function burst(taken: number, durationMs = 1): readonly CheckedExchange[] {
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
  expect(checkRateLimitKept(burst(5), { ...context, enforced: new Set() })).toEqual([]);
});

const refusal = '{"error":400,"message":"no"}';
const names = ['qwErtYuiOp', 'asDfgHjklQ'] as const;

function create(id: number, name: string, status: number): TraceRow {
  return {
    body: JSON.stringify({ id, name }),
    status,
    answer: status === 200 ? JSON.stringify({ name }) : refusal,
  };
}

/** What is expected of the second of two equal names, where the answers drift from it. */
function expectedOf(
  statuses: readonly number[],
  unique: readonly string[],
  enforced: readonly BehaviourId[] = ['unique-properties'],
): readonly string[] {
  const rows = statuses.map((status, index) =>
    create(index + 1, index < statuses.length - 1 ? names[0] : names[1], status),
  );
  const context = createCheckContext(contract, {
    policy: createPolicy({ 'unique-properties': unique }),
    enforced: new Set(enforced),
  });
  return checkUniqueProperties(judgeTrace(contract, rows), context).map(({ expected }) => expected);
}

test('finds drift where a value is accepted twice that may exist only once', () => {
  expect(expectedOf([200, 200, 200, 200], ['name'])).toEqual(['/name may exist only once']);
  expect(expectedOf([200, 400, 400, 200], ['name'])).toEqual([]);
});

test('finds drift where a value is refused that may be the same in several', () => {
  expect(expectedOf([200, 409, 409, 200], [])).toEqual(['/name may be the same in several']);
  expect(expectedOf([200, 200, 200, 200], [])).toEqual([]);
});

test('concludes nothing where something else may be to blame, or nothing was told', () => {
  expect(expectedOf([200, 400, 200, 200], [])).toEqual([]);
  expect(expectedOf([200, 400, 400, 400], [])).toEqual([]);
  expect(expectedOf([400, 200, 200, 200], ['name'])).toEqual([]);
  expect(expectedOf([200, 409, 409, 200], [], ['accept'])).toEqual([]);
});
