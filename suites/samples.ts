import { plainBodies } from '../src/arbitrary/plain-body.ts';
import { mapCases } from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import type { Operation } from '../src/contract/contract.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { examplesOnly, requestProperty, toPlan } from './property.ts';

function propertiesOf(operation: Operation): readonly Property[] {
  const { body } = plainRequest(operation);
  const cases =
    body.kind === 'body'
      ? mapCases(plainBodies(body.body), (one) => buildRequest(operation, { body: one }))
      : examplesOnly([buildRequest(operation)]);
  const title = 'A plain request gets a declared response';
  return requestProperty(operation, ['sample', title, cases]);
}

/** Plain requests to the operations that create nothing. */
export const samples: Suite = {
  id: 'samples',
  title: 'Samples',
  plan: ({ contract }) => {
    const others = contract.operations.filter(({ kind }) => kind.kind !== 'create');
    const usable = others.filter((operation) => plainRequest(operation).problem === undefined);
    const reasons = others.map((operation) => `${operation.id}: ${plainRequest(operation).problem ?? ''}`);
    return toPlan(usable.flatMap(propertiesOf), reasons.join('; ') || 'every operation creates something');
  },
};
