import { collectionParameter } from '../collection-parameter.ts';
import type { ControlOperation } from '../control-operation.ts';
import { keyParameter } from '../key-parameter.ts';
import { notFound } from '../not-found.ts';

/** `DELETE /state/resource`: forgets one resource. */
export const deleteResource: ControlOperation = {
  path: '/state/resource',
  method: 'delete',
  declares: {
    operationId: 'deleteResource',
    summary: 'Forget one resource',
    parameters: [collectionParameter, keyParameter],
    responses: { '204': { description: 'It is forgotten.' } },
  },
  refuses: [404, 422],
  act: async (request, { mock }) => {
    const [collection, key] = [request.text('collection') ?? '', request.text('key') ?? ''];
    return (await mock.state.delete(collection, key))
      ? { status: 204 }
      : notFound(`There is no resource ${key} in ${collection}.`);
  },
};
