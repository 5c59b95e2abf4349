import { collectionParameter } from '../collection-parameter.ts';
import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { queryParameter } from '../query-parameter.ts';
import { ref } from '../ref.ts';

/** More at once are the matter of an export. */
const mostListed = 1000;

/** `GET /state/resources`: a part of a collection. */
export const listResources: ControlOperation = {
  path: '/state/resources',
  method: 'get',
  declares: {
    operationId: 'listResources',
    summary: 'A part of a collection',
    parameters: [
      collectionParameter,
      queryParameter({
        name: 'search',
        description: 'Resources whose JSON text holds this, upper and lower case alike.',
        schema: { type: 'string' },
      }),
      queryParameter({
        name: 'offset',
        description: 'How many to pass over.',
        schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
      }),
      queryParameter({
        name: 'limit',
        description: 'How many to give at most.',
        schema: { type: 'integer', minimum: 0, maximum: mostListed, default: 100 },
      }),
    ],
    responses: { '200': jsonContent('The resources, in the order in which they came.', ref('StatePage')) },
  },
  refuses: [422],
  act: async (request, { mock }) => ({
    status: 200,
    body: await mock.state.list(request.text('collection') ?? '', {
      search: request.text('search') ?? '',
      offset: request.number('offset') ?? 0,
      limit: request.number('limit') ?? 100,
    }),
  }),
};
