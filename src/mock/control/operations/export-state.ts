import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';

/** `GET /state/export`: everything, so that an import takes it. */
export const exportState: ControlOperation = {
  path: '/state/export',
  method: 'get',
  declares: {
    operationId: 'exportState',
    summary: 'Everything, so that an import takes it',
    responses: { '200': jsonContent('All resources.', ref('StateRows')) },
  },
  act: async (_request, { mock }) => ({ status: 200, body: await mock.state.export() }),
};
