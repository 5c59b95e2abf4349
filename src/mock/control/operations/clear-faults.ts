import type { ControlOperation } from '../control-operation.ts';

/** `DELETE /faults`: takes all rules away. */
export const clearFaults: ControlOperation = {
  path: '/faults',
  method: 'delete',
  declares: {
    operationId: 'clearFaults',
    summary: 'Take all rules away',
    responses: { '204': { description: 'There are no rules any more.' } },
  },
  act: (_request, { mock }) => {
    mock.faults.clear();
    return { status: 204 };
  },
};
