import type { ControlOperation } from '../control-operation.ts';
import { notFound } from '../not-found.ts';
import { snapshotNameParameter } from '../snapshot-name-parameter.ts';

/** `POST /snapshots/{name}/restore`: brings the state back that was kept under a name. */
export const restoreSnapshot: ControlOperation = {
  path: '/snapshots/{name}/restore',
  method: 'post',
  declares: {
    operationId: 'restoreSnapshot',
    summary: 'Bring the state back that was kept under a name; what does not fit any more is set aside',
    parameters: [snapshotNameParameter],
    responses: { '204': { description: 'The state is as it was then.' } },
  },
  refuses: [404, 422],
  act: async (request, { mock }) => {
    const name = request.text('name') ?? '';
    return (await mock.state.restore(name))
      ? { status: 204 }
      : notFound(`There is no snapshot ${JSON.stringify(name)}.`);
  },
};
