import type { StateRows } from '../../state/mock-state.ts';
import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { queryParameter } from '../query-parameter.ts';
import { ref } from '../ref.ts';

/** `POST /state/import`: brings resources in, all or none. */
export const importState: ControlOperation = {
  path: '/state/import',
  method: 'post',
  declares: {
    operationId: 'importState',
    summary: 'Bring resources in: all of them, or where one cannot be taken, none',
    parameters: [
      queryParameter({
        name: 'mode',
        description: '`replace` empties the state first, `merge` keeps what is there.',
        schema: { enum: ['replace', 'merge'], default: 'replace' },
      }),
    ],
    requestBody: { required: true, ...jsonContent('What an export gives.', ref('StateRows')) },
    responses: { '200': jsonContent('How many were brought in.', ref('Imported')) },
  },
  refuses: [422],
  act: async (request, { mock }) => {
    // `as`: the document lets nothing else pass.
    const rows = Object.entries(request.body as StateRows);
    // A collection without rows may be of another contract: there is nothing that would not fit.
    const filled = Object.fromEntries(rows.filter(([, each]) => each.length > 0));
    const mode = request.text('mode') === 'merge' ? 'merge' : 'replace';
    return { status: 200, body: await mock.state.import(filled, mode) };
  },
};
