import type { ControlOperation } from '../control-operation.ts';

/** `DELETE /requests`: forgets what the mock was asked. */
export const clearRequests: ControlOperation = {
  path: '/requests',
  method: 'delete',
  declares: {
    operationId: 'clearRequests',
    summary: 'Forget what the mock was asked',
    responses: { '204': { description: 'The log is empty.' } },
  },
  act: (_request, { mock }) => {
    mock.requests.clear();
    return { status: 204 };
  },
};
