import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';

/** `GET /faults`: the rules that make requests go wrong. */
export const listFaults: ControlOperation = {
  path: '/faults',
  method: 'get',
  declares: {
    operationId: 'listFaults',
    summary: 'The rules that make requests go wrong',
    responses: {
      '200': jsonContent('The rules; of several that are for a request, the first one counts.', {
        type: 'object',
        required: ['faults'],
        properties: { faults: { type: 'array', items: ref('ActiveFaultRule') } },
      }),
    },
  },
  act: (_request, { mock }) => ({ status: 200, body: { faults: mock.faults.list() } }),
};
