import fc from 'fast-check';
import { applyEdits } from '../src/arbitrary/apply-edits.ts';
import type { Body } from '../src/arbitrary/body.ts';
import { buildRequest } from '../src/arbitrary/build-request.ts';
import { joinParts } from '../src/arbitrary/join-parts.ts';
import { plainTokens } from '../src/arbitrary/plain-tokens.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import { checkRefusedLeavesTrace } from '../src/check/refused-leaves-trace.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { type KeyedOperation, keyedOperations } from './keyed-operations.ts';
import { refusedRequests } from './refused-requests.ts';
import type { Sequence } from './sequence.ts';
import { sequenceProperty } from './sequence-property.ts';
import { toPlan } from './to-plan.ts';

function propertiesOf(target: KeyedOperation): readonly Property[] {
  const { operation, body } = target;
  const refused = refusedRequests(target);
  const afterwards = joinParts(applyEdits(body, body.smallest, [])?.tokens ?? []);
  // The last one has another key: it shows that nothing but the key can be held against the body.
  const follow = (first: RequestCase, then: Body): Sequence => [
    [first, buildRequest(operation, { body: then })],
    [buildRequest(operation, { body: then })],
  ];
  const random = fc
    .tuple(fc.constantFrom(...refused), body.arbitrary)
    .map(([first, value]) => follow(first, joinParts(plainTokens(body, value))));
  return sequenceProperty({
    operation,
    name: 'refused-then-valid',
    title: 'The key of a request that was refused is free',
    cases: { examples: refused.map((first) => follow(first, afterwards)), arbitrary: random },
    traceChecks: [checkRefusedLeavesTrace],
  });
}

/** A refused request, then its key in a valid one, then the valid one with another key. */
export const traces: Suite = {
  id: 'traces',
  title: 'Refused requests leave no trace',
  plan: ({ contract }) =>
    toPlan(
      keyedOperations(contract).flatMap(propertiesOf),
      'no operation lets the client choose the key of what it creates',
    ),
};
