import fc from 'fast-check';
import type { Body } from '../src/arbitrary/body.ts';
import { buildRequest } from '../src/arbitrary/build-request.ts';
import { joinParts } from '../src/arbitrary/join-parts.ts';
import { plainTokens } from '../src/arbitrary/plain-tokens.ts';
import { checkDuplicateKey } from '../src/check/duplicate-key.ts';
import type { JsonValue } from '../src/json/json-value.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { type KeyedOperation, keyedOperations } from './keyed-operations.ts';
import type { Sequence } from './sequence.ts';
import { sequenceProperty } from './sequence-property.ts';
import { toPlan } from './to-plan.ts';

function propertiesOf({ operation, body }: KeyedOperation): readonly Property[] {
  const write = (value: JsonValue): Body => joinParts(plainTokens(body, value));
  const repeat = (...values: readonly JsonValue[]): Sequence => [
    values.map((value) => buildRequest(operation, { body: write(value) })),
  ];
  const { smallest, fullest, arbitrary } = body;
  const examples = [
    repeat(fullest, smallest),
    repeat(smallest, fullest),
    repeat(smallest, smallest),
    repeat(smallest, fullest, smallest),
  ];
  return sequenceProperty({
    operation,
    name: 'repeated-key',
    title: 'A key that exists already is answered without an error of the server',
    cases: {
      examples,
      arbitrary: fc.tuple(arbitrary, arbitrary).map(([first, second]) => repeat(first, second)),
    },
    traceChecks: [checkDuplicateKey],
  });
}

/** The same key twice and three times, with equal bodies and with different ones. */
export const repeatedKeys: Suite = {
  id: 'repeated-keys',
  title: 'Repeated keys',
  plan: ({ contract }) =>
    toPlan(
      keyedOperations(contract).flatMap(propertiesOf),
      'no operation lets the client choose the key of what it creates',
    ),
};
