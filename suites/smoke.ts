import { buildRequest } from '../src/arbitrary/request.ts';
import type { Suite } from '../src/runner/suite.ts';
import { examplesOnly, isSendable, requestProperty, toPlan } from './property.ts';

/** One valid request of each operation, for `--smoke`. It is none of the usual suites. */
export const smoke: Suite = {
  id: 'smoke',
  title: 'One valid request of each operation',
  sendsPlainly: true,
  plan: ({ contract }) => {
    const sendable = contract.operations.filter(isSendable);
    const properties = sendable.flatMap((operation) =>
      requestProperty(operation, [
        'request',
        'A plain valid request gets a declared response',
        examplesOnly([buildRequest(operation)]),
      ]),
    );
    return toPlan(properties, 'no valid request can be generated');
  },
};
