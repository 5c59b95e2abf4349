import type { Cases } from '../src/arbitrary/cases.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import type { Operation } from '../src/contract/operation.ts';
import type { Property } from '../src/runner/suite.ts';
import { sequenceProperty } from './sequence-property.ts';
import { mapCases } from '../src/arbitrary/map-cases.ts';

/**
 * A property whose cases are one request each.
 *
 * @param input.operation - what the requests are aimed at; those that are aimed at none have a name of their own
 * @param input.name - kebab-case; the id of the property is the operation's and this
 * @returns none where there are no cases
 */
export function requestProperty(input: {
  readonly operation: Operation | { readonly id: 'undeclared' };
  readonly name: string;
  readonly title: string;
  readonly cases: Cases<RequestCase>;
  readonly turn?: NonNullable<Property['turn']>;
}): readonly Property[] {
  return sequenceProperty({
    ...input,
    cases: mapCases(input.cases, (request) => [[request]]),
    traceChecks: [],
  });
}
