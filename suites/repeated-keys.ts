import fc from 'fast-check';
import type { Cases } from '../src/arbitrary/request-case.ts';
import { checkDuplicateKey } from '../src/check/checks/sequence.ts';
import type { JsonValue } from '../src/json/value.ts';
import type { Suite } from '../src/runner/suite.ts';
import { type KeyedOperation, planKeys, requestWith, type Sequence, sequenceProperty } from './property.ts';

function casesOf(target: KeyedOperation): Cases<Sequence> {
  const { smallest, fullest, arbitrary } = target.body;
  const repeat = (...values: readonly JsonValue[]): Sequence => [
    values.map((value) => requestWith(target, value)),
  ];
  return {
    examples: [
      repeat(fullest, smallest),
      repeat(smallest, fullest),
      repeat(smallest, smallest),
      repeat(smallest, fullest, smallest),
    ],
    arbitrary: fc.tuple(arbitrary, arbitrary).map(([first, second]) => repeat(first, second)),
  };
}

/** The same id two and three times, with equal and with different bodies. */
export const repeatedKeys: Suite = {
  id: 'repeated-keys',
  title: 'Repeated ids',
  plan: ({ contract }) =>
    planKeys(contract, ({ operation, late }) =>
      sequenceProperty({
        operation,
        name: 'repeated-key',
        title: 'A repeated id causes no server error',
        cases: late(4, casesOf),
        mostRequests: 3,
        traceChecks: [checkDuplicateKey],
      }),
    ),
};
