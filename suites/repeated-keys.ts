import fc from 'fast-check';
import { plainTokens } from '../src/arbitrary/plain-body.ts';
import { type Body, joinParts } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import { checkDuplicateKey } from '../src/check/checks/sequence.ts';
import type { JsonValue } from '../src/json/value.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { type KeyedOperation, keyedOperations, type Sequence, sequenceProperty, toPlan } from './property.ts';

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
