import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';

/** `GET /state`: the collections, and how much each holds. */
export const getState: ControlOperation = {
  path: '/state',
  method: 'get',
  declares: {
    operationId: 'getState',
    summary: 'The collections, and how much each holds',
    responses: {
      '200': jsonContent('The collections.', {
        type: 'object',
        required: ['collections'],
        properties: { collections: { type: 'array', items: ref('CollectionCount') } },
      }),
    },
  },
  act: async (_request, { mock }) => ({
    status: 200,
    body: { collections: await mock.state.collections() },
  }),
};
