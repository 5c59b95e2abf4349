import fc from 'fast-check';
import { plainBodies } from '../src/arbitrary/plain-body.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import type { Operation } from '../src/contract/contract.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { requestProperty, toPlan } from './property.ts';

function propertiesOf(operation: Operation): readonly Property[] {
  const { body } = plainRequest(operation);
  const bodies = body.kind === 'body' ? plainBodies(body.body) : undefined;
  const examples = bodies?.examples.map((one) => buildRequest(operation, { body: one })) ?? [
    buildRequest(operation),
  ];
  const arbitrary = (bodies?.arbitrary ?? fc.constant(undefined)).map((one) =>
    one === undefined ? buildRequest(operation) : buildRequest(operation, { body: one }),
  );
  return requestProperty({
    operation,
    name: 'sample',
    title: 'A plain request gets an answer that the document declares',
    cases: { examples, arbitrary: bodies === undefined ? undefined : arbitrary },
  });
}

/** Plain requests to the operations that create nothing. */
export const samples: Suite = {
  id: 'samples',
  title: 'Samples',
  plan: ({ contract }) => {
    const others = contract.operations.filter(({ kind }) => kind.kind === 'sample');
    const usable = others.filter((operation) => plainRequest(operation).problem === undefined);
    const reasons = others.map((operation) => `${operation.id}: ${plainRequest(operation).problem ?? ''}`);
    return toPlan(usable.flatMap(propertiesOf), reasons.join('; ') || 'every operation creates something');
  },
};
