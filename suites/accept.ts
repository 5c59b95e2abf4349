import { buildRequest } from '../src/arbitrary/build-request.ts';
import { plainRequest } from '../src/arbitrary/plain-request.ts';
import type { Operation } from '../src/contract/operation.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { requestProperty } from './request-property.ts';
import { toPlan } from './to-plan.ts';

/** First those that any service can meet, then those that this one may not. */
const values = [
  '*/*',
  'application/json',
  'application/*',
  'text/html, application/json;q=0.5, */*;q=0.1',
  'Application/JSON',
  'text/html',
  'application/xml',
  'image/png',
  'application/json;q=0',
  '*/*;q=0',
  'text',
  '',
];

function propertiesOf(operation: Operation): readonly Property[] {
  const examples = values.map((value) => buildRequest(operation, { headers: [['Accept', value]] }));
  return requestProperty({
    operation,
    name: 'accept',
    title: 'An Accept that can be met is met, another is ignored or answered 406',
    cases: { examples, arbitrary: undefined },
  });
}

/** What the client asks to be answered in. */
export const accept: Suite = {
  id: 'accept',
  title: 'Accept',
  plan: ({ contract }) => {
    const usable = contract.operations.filter((operation) => plainRequest(operation).problem === undefined);
    return toPlan(usable.flatMap(propertiesOf), 'no plain request can be made');
  },
};
