import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';

/** `GET /snapshots`: the states that were kept under names. */
export const listSnapshots: ControlOperation = {
  path: '/snapshots',
  method: 'get',
  declares: {
    operationId: 'listSnapshots',
    summary: 'The states that were kept under names',
    responses: {
      '200': jsonContent('The snapshots, by name.', {
        type: 'object',
        required: ['snapshots'],
        properties: { snapshots: { type: 'array', items: ref('CollectionCount') } },
      }),
    },
  },
  act: async (_request, { mock }) => ({ status: 200, body: { snapshots: await mock.state.snapshots() } }),
};
