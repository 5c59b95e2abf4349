import type { ControlOperation } from '../control-operation.ts';
import { faultIdParameter } from '../fault-id-parameter.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';
import { toFaultRule } from '../to-fault-rule.ts';

/** `PUT /faults/{id}`: puts a rule in the place of the one with its id, or adds it. */
export const putFault: ControlOperation = {
  path: '/faults/{id}',
  method: 'put',
  declares: {
    operationId: 'putFault',
    summary: 'Put a rule in the place of the one with its id, or add it',
    parameters: [faultIdParameter],
    requestBody: {
      required: true,
      ...jsonContent('The rule; of its ids, the one in the path counts.', ref('FaultRule')),
    },
    responses: { '200': jsonContent('The rule in force.', ref('ActiveFaultRule')) },
  },
  refuses: [422],
  act: (request, { mock }) => ({
    status: 200,
    body: mock.faults.put({ ...toFaultRule(request.body), id: request.text('id') ?? '' }),
  }),
};
