import type { Cases, RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import type { Operation } from '../src/contract/contract.ts';
import type { Suite } from '../src/runner/suite.ts';
import { examplesOnly, lateOf, planOperations, requestProperty } from './property.ts';

/** Values that any service can satisfy, then values that this one may not. */
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
/** They break the grammar of RFC 9110 §12.5.1. Some parsers throw on them, and the service does not catch it. */
const malformed = ['text', ''];

function requestsThatAccept(values: readonly string[], operation: Operation): Cases<RequestCase> {
  const make = (): Cases<RequestCase> =>
    examplesOnly(values.map((value) => buildRequest(operation, { headers: [['Accept', value]] })));
  return lateOf(operation, make, { most: values.length, mayBeRandom: false });
}

/** Requests with an Accept header. */
export const accept: Suite = {
  id: 'accept',
  title: 'Accept',
  plan: ({ contract }) =>
    planOperations(contract, (operation) => [
      ...requestProperty(operation, [
        'accept',
        'An Accept that can be met is met; any other is ignored or gets 406',
        requestsThatAccept(wellFormed, operation),
      ]),
      ...requestProperty(
        operation,
        [
          'malformed-accept',
          'A malformed Accept is ignored, refused or gets 406',
          requestsThatAccept(malformed, operation),
        ],
        { phase: 'last' },
      ),
    ]),
};
