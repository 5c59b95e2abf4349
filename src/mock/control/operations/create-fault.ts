import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';
import { toFaultRule } from '../to-fault-rule.ts';

/** `POST /faults`: adds a rule behind the others. */
export const createFault: ControlOperation = {
  path: '/faults',
  method: 'post',
  declares: {
    operationId: 'createFault',
    summary: 'Add a rule behind the others, or put it in the place of the one with its id',
    requestBody: { required: true, ...jsonContent('The rule.', ref('FaultRule')) },
    responses: { '201': jsonContent('The rule in force.', ref('ActiveFaultRule')) },
  },
  refuses: [422],
  act: (request, { mock }) => ({ status: 201, body: mock.faults.put(toFaultRule(request.body)) }),
};
