import type { ControlOperation } from '../control-operation.ts';

/** `DELETE /policy`: takes the answers of the start. */
export const deletePolicy: ControlOperation = {
  path: '/policy',
  method: 'delete',
  declares: {
    operationId: 'deletePolicy',
    summary: 'Answer as at the start',
    responses: { '204': { description: 'The answers are those of the start.' } },
  },
  act: async (_request, { mock }) => {
    await mock.reset(['policy']);
    return { status: 204 };
  },
};
