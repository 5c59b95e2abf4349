import type { ControlOperation } from '../control-operation.ts';
import { notFound } from '../not-found.ts';
import { snapshotNameParameter } from '../snapshot-name-parameter.ts';

/** `DELETE /snapshots/{name}`: forgets a snapshot. */
export const deleteSnapshot: ControlOperation = {
  path: '/snapshots/{name}',
  method: 'delete',
  declares: {
    operationId: 'deleteSnapshot',
    summary: 'Forget a snapshot',
    parameters: [snapshotNameParameter],
    responses: { '204': { description: 'It is forgotten.' } },
  },
  refuses: [404],
  act: async (request, { mock }) => {
    const name = request.text('name') ?? '';
    return (await mock.state.forget(name))
      ? { status: 204 }
      : notFound(`There is no snapshot ${JSON.stringify(name)}.`);
  },
};
