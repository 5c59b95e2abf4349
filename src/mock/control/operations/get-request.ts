import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { notFound } from '../not-found.ts';
import { pathParameter } from '../path-parameter.ts';
import { ref } from '../ref.ts';

/** `GET /requests/{id}`: one request that the mock answered. */
export const getRequest: ControlOperation = {
  path: '/requests/{id}',
  method: 'get',
  declares: {
    operationId: 'getRequest',
    summary: 'One request that the mock answered',
    parameters: [
      pathParameter('id', 'The number of the request.', {
        type: 'integer',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ],
    responses: { '200': jsonContent('The request.', ref('LoggedRequest')) },
  },
  refuses: [404],
  act: (request, { mock }) => {
    const id = request.number('id') ?? 0;
    const found = mock.requests.get(id);
    return found === undefined
      ? notFound(`There is no request ${id} in the log: it gave way to newer ones, or there never was one.`)
      : { status: 200, body: found };
  },
};
