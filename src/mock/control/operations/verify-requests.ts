import { isJsonObject } from '../../../json/is-json-object.ts';
import type { JsonValue } from '../../../json/json-value.ts';
import type { RequestFilter, Times } from '../../log/request-log.ts';
import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';
import { toPlainNumbers } from '../to-plain-numbers.ts';

/** What the body of a request asks for, the body that it looks for with its digits. */
function readQuestion(body: JsonValue | undefined): {
  readonly filter: RequestFilter;
  readonly times: Times;
} {
  const { filter = {}, times = { atLeast: 1 } } = isJsonObject(body) ? body : {};
  const sought = isJsonObject(filter) ? filter['body'] : undefined;
  // `as`: the document says of both what their types do.
  return {
    filter: {
      ...(toPlainNumbers(filter) as RequestFilter),
      ...(sought === undefined ? {} : { body: sought }),
    },
    times: toPlainNumbers(times) as Times,
  };
}

/** `POST /requests/verify`: whether requests came as often as expected. */
export const verifyRequests: ControlOperation = {
  path: '/requests/verify',
  method: 'post',
  declares: {
    operationId: 'verifyRequests',
    summary: 'Whether requests came as often as expected',
    requestBody: {
      required: true,
      ...jsonContent('Which requests, and how often.', {
        type: 'object',
        required: ['filter'],
        additionalProperties: false,
        properties: { filter: ref('RequestFilter'), times: ref('Times') },
      }),
    },
    responses: { '200': jsonContent('Whether they did.', ref('Verification')) },
  },
  refuses: [422],
  act: (request, { mock }) => {
    const { filter, times } = readQuestion(request.body);
    return { status: 200, body: mock.requests.verify(filter, times) };
  },
};
