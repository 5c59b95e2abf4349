import type { Cases } from '../src/arbitrary/cases.ts';
import type { TraceCheck } from '../src/check/trace-check.ts';
import type { Operation } from '../src/contract/operation.ts';
import type { Property } from '../src/runner/suite.ts';
import { sendSequence } from './send-sequence.ts';
import type { Sequence } from './sequence.ts';
import { simplifySequence } from './simplify-sequence.ts';

/**
 * A property whose cases are requests that follow each other.
 *
 * @param input.operation - what the requests are aimed at; those that are aimed at none have a name of their own
 * @param input.name - kebab-case; the id of the property is the operation's and this
 * @returns none where there are no cases
 */
export function sequenceProperty(input: {
  readonly operation: Operation | { readonly id: 'undeclared' };
  readonly name: string;
  readonly title: string;
  readonly cases: Cases<Sequence>;
  readonly traceChecks: readonly TraceCheck[];
  readonly whyUnjudged?: NonNullable<Property['whyUnjudged']>;
  readonly turn?: NonNullable<Property['turn']>;
}): readonly Property[] {
  const { operation, name, title, cases, traceChecks, whyUnjudged, turn } = input;
  if (cases.examples.length === 0 && cases.arbitrary === undefined) {
    return [];
  }
  const lengths = cases.examples.map((sequence) => sequence.flat().length);
  const target = 'path' in operation ? operation : undefined;
  return [
    {
      id: `${operation.id}.${name}`,
      title,
      examples: cases.examples,
      arbitrary: cases.arbitrary,
      // `as`, twice: a property is only ever given the cases that its own examples and arbitrary make.
      simplify: (large) => simplifySequence(large as Sequence, target),
      run: async (testCase, session) => sendSequence(testCase as Sequence, session),
      traceChecks,
      mostRequests: Math.max(1, ...lengths),
      ...(whyUnjudged === undefined ? {} : { whyUnjudged }),
      ...(turn === undefined ? {} : { turn }),
    },
  ];
}
