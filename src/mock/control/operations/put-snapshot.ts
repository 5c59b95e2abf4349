import type { ControlOperation } from '../control-operation.ts';
import { snapshotNameParameter } from '../snapshot-name-parameter.ts';

/** `PUT /snapshots/{name}`: keeps the state as it is under a name. */
export const putSnapshot: ControlOperation = {
  path: '/snapshots/{name}',
  method: 'put',
  declares: {
    operationId: 'putSnapshot',
    summary: 'Keep the state as it is under a name, in place of an earlier one',
    parameters: [snapshotNameParameter],
    responses: { '204': { description: 'It is kept.' } },
  },
  refuses: [422],
  act: async (request, { mock }) => {
    await mock.state.save(request.text('name') ?? '');
    return { status: 204 };
  },
};
