import type { LoggedRequest } from '../../log/logged-request.ts';
import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { queryParameter } from '../query-parameter.ts';
import { readRequestFilter } from '../read-request-filter.ts';
import { ref } from '../ref.ts';
import { requestFilterParameters } from '../request-filter-parameters.ts';

/** A client that wants to wait longer asks again. */
const longestWaitMs = 2000;

/** `GET /requests`: what the mock was asked. */
export const listRequests: ControlOperation = {
  path: '/requests',
  method: 'get',
  declares: {
    operationId: 'listRequests',
    summary: 'What the mock was asked, or waiting for it',
    parameters: [
      ...requestFilterParameters,
      queryParameter({
        name: 'limit',
        description: 'The newest so many; without it, all.',
        schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      }),
      queryParameter({
        name: 'wait',
        description: 'Waits so many milliseconds at most, until `times` requests match.',
        schema: { type: 'integer', minimum: 0, maximum: longestWaitMs, default: 0 },
      }),
      queryParameter({
        name: 'times',
        description: 'How many requests are waited for.',
        schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
      }),
    ],
    responses: { '200': jsonContent('The requests, in the order in which they came.', ref('RequestPage')) },
  },
  act: async (request, { mock }) => {
    const filter = readRequestFilter(request);
    const timeoutMs = request.number('wait') ?? 0;
    const times = request.number('times') ?? 1;
    const list = (): readonly LoggedRequest[] => mock.requests.list(filter, request.number('limit'));
    let requests = list();
    if (timeoutMs > 0 && requests.length < times) {
      await mock.requests.waitFor(filter, { times, timeoutMs });
      requests = list();
    }
    const { dropped, first, last } = mock.requests;
    return { status: 200, body: { requests, dropped, first, last } };
  },
};
