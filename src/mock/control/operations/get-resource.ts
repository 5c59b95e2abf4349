import { collectionParameter } from '../collection-parameter.ts';
import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { keyParameter } from '../key-parameter.ts';
import { notFound } from '../not-found.ts';
import { ref } from '../ref.ts';

/** `GET /state/resource`: one resource. */
export const getResource: ControlOperation = {
  path: '/state/resource',
  method: 'get',
  declares: {
    operationId: 'getResource',
    summary: 'One resource',
    parameters: [collectionParameter, keyParameter],
    responses: { '200': jsonContent('The resource.', ref('StateResource')) },
  },
  refuses: [404, 422],
  act: async (request, { mock }) => {
    const [collection, key] = [request.text('collection') ?? '', request.text('key') ?? ''];
    const resource = await mock.state.get(collection, key);
    return resource === undefined
      ? notFound(`There is no resource ${key} in ${collection}.`)
      : { status: 200, body: resource };
  },
};
