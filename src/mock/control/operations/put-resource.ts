import type { JsonObject } from '../../../json/json-value.ts';
import { collectionParameter } from '../collection-parameter.ts';
import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';

/** `PUT /state/resources`: keeps a resource, in place of one that has its key. */
export const putResource: ControlOperation = {
  path: '/state/resources',
  method: 'put',
  declares: {
    operationId: 'putResource',
    summary: 'Keep a resource, in place of one that has its key',
    parameters: [collectionParameter],
    requestBody: {
      required: true,
      ...jsonContent('The resource as a create would send it.', { type: 'object' }),
    },
    responses: { '200': jsonContent('The resource as it is kept.', ref('StateResource')) },
  },
  refuses: [422],
  act: async (request, { mock }) => ({
    status: 200,
    // `as`: the document lets objects alone pass.
    body: await mock.state.put(request.text('collection') ?? '', request.body as JsonObject),
  }),
};
