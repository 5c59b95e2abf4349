import fc from 'fast-check';
import { checkDuplicateKey } from '../src/check/checks/sequence.ts';
import type { JsonValue } from '../src/json/value.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { type KeyedOperation, planKeys, requestWith, type Sequence, sequenceProperty } from './property.ts';

function propertiesOf(target: KeyedOperation): readonly Property[] {
  const { smallest, fullest, arbitrary } = target.body;
  const repeat = (...values: readonly JsonValue[]): Sequence => [
    values.map((value) => requestWith(target, value)),
  ];
  return sequenceProperty({
    operation: target.operation,
    name: 'repeated-key',
    title: 'A repeated id causes no server error',
    cases: {
      examples: [
        repeat(fullest, smallest),
        repeat(smallest, fullest),
        repeat(smallest, smallest),
        repeat(smallest, fullest, smallest),
      ],
      arbitrary: fc.tuple(arbitrary, arbitrary).map(([first, second]) => repeat(first, second)),
    },
    traceChecks: [checkDuplicateKey],
  });
}

/** The same key twice and three times, with equal bodies and with different ones. */
export const repeatedKeys: Suite = {
  id: 'repeated-keys',
  title: 'Repeated ids',
  plan: ({ contract }) => planKeys(contract, propertiesOf),
};
