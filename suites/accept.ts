import type { Cases, RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import type { Operation } from '../src/contract/contract.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { requestProperty, toPlan } from './property.ts';

/** First those that any service can meet, then those that this one may not. */
const wellFormed = [
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
];
/** They break the grammar of RFC 9110 §12.5.1; some readers of it throw where nothing catches. */
const malformed = ['text', ''];

function propertiesOf(operation: Operation): readonly Property[] {
  const toCases = (values: readonly string[]): Cases<RequestCase> => ({
    examples: values.map((value) => buildRequest(operation, { headers: [['Accept', value]] })),
    arbitrary: undefined,
  });
  return [
    ...requestProperty({
      operation,
      name: 'accept',
      title: 'An Accept that can be met is met, another is ignored or answered 406',
      cases: toCases(wellFormed),
    }),
    ...requestProperty({
      operation,
      name: 'malformed-accept',
      title: 'A malformed Accept is ignored, refused or answered 406',
      cases: toCases(malformed),
      turn: 'last',
    }),
  ];
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
