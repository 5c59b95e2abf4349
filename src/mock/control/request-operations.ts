import { toPlainNumbers } from '../../json/exact-number.ts';
import type { JsonObject } from '../../json/value.ts';
import type { RequestFilter } from '../log/filter.ts';
import type { LoggedRequest } from '../message.ts';
import {
  count,
  jsonBody,
  jsonContent,
  listOf,
  ok,
  type OperationsAt,
  pathParameter,
  queryParameter,
  record,
  ref,
  refuse,
  text,
  whole,
} from './operation.ts';

/** The filters of requests, in the query and in a body. */
const filters = {
  operation: text('The id of the operation.'),
  method: text('The method, in any case.'),
  path: text('The path as it was sent, without its query, or a template of the document.'),
  item: text('The path of the item that it was about, also where the answer alone names it: `/orders/7`.'),
  status: { type: 'integer', minimum: 100, maximum: 599, description: 'The status of the response.' },
  verdict: { enum: ['accepted', 'refused', 'forced'], description: 'Whether the mock accepted it.' },
  condition: text('Why it was refused.'),
  search: text('Text in the target, body or message, ignoring case.'),
  after: { ...whole(0), description: 'Requests with a higher id.' },
};

/** The maximum wait; a client that wants to wait longer repeats the request. */
const longestWaitMs = 2000;

/** The operations on the request log. */
export const requestOperations: OperationsAt<'/requests'> = {
  listRequests: {
    summary: 'The requests that the mock received, or waiting for one',
    parameters: [
      ...Object.entries(filters).map(([name, { description, ...schema }]) =>
        queryParameter(name, description, schema),
      ),
      queryParameter('limit', 'The maximum number of requests, newest first; all by default.', whole(0)),
      queryParameter('wait', 'Waits up to this many milliseconds, until `times` requests match.', {
        ...whole(0),
        maximum: longestWaitMs,
        default: 0,
      }),
      queryParameter('times', 'How many requests are waited for.', { ...whole(1), default: 1 }),
    ],
    responses: { '200': jsonContent('The requests, in the order in which they came.', ref('RequestPage')) },
    handle: async ({ parameters }, { mock }) => {
      const { limit, wait: timeoutMs = 0, times = 1, ...sent } = parameters;
      // `as`: none of them is undefined.
      const filter = sent as RequestFilter;
      const list = (): readonly LoggedRequest[] => mock.requests.list(filter, limit);
      let requests = list();
      if (timeoutMs > 0 && requests.length < times) {
        await mock.requests.waitFor(filter, { times, timeoutMs });
        requests = list();
      }
      const { dropped, first, last } = mock.requests;
      return ok({ requests, dropped, first, last });
    },
  },
  clearRequests: {
    summary: 'Clear the request log',
    responses: { '204': { description: 'The log is empty.' } },
    handle: (_request, { mock }) => mock.requests.clear(),
  },
  verifyRequests: {
    summary: 'Check how often requests came',
    requestBody: jsonBody('Which requests, and how often.', {
      type: 'object',
      required: ['filter'],
      additionalProperties: false,
      properties: { filter: ref('RequestFilter'), times: ref('Times') },
    }),
    responses: { '200': jsonContent('Whether they did.', ref('Verification')) },
    refuses: [422],
    handle: ({ body }, { mock }) => {
      const { filter, times } = toPlainNumbers(body);
      const sought = body.filter.body;
      // The body to compare with keeps its digits.
      const exact = sought === undefined ? filter : { ...filter, body: sought };
      return ok(mock.requests.verify(exact, times));
    },
  },
  getRequest: {
    summary: 'One request',
    parameters: [pathParameter('id', 'The number of the request.', whole(1))],
    responses: { '200': jsonContent('The request.', ref('LoggedRequest')) },
    refuses: [404],
    handle: ({ parameters: { id } }, { mock }) => {
      const found = mock.requests.get(Number(id));
      const reason = 'it gave way to newer ones, or there never was one';
      return found ? ok(found) : refuse(404, `There is no request ${id} in the log: ${reason}.`);
    },
  },
};

const { after, ...plainFilters } = filters;

/** The schemas of the request log. */
export const requestSchemas: Readonly<Record<string, JsonObject>> = {
  LoggedRequest: record(
    {
      id: { type: 'integer', minimum: 1 },
      time: { type: 'number', description: 'When it had come, in milliseconds since 1970.' },
      durationMs: { type: 'number', description: 'From its head to the answer.' },
      method: { type: 'string' },
      target: text('Path and query, as they were sent.'),
      operation: text('The id of the operation that it led to.'),
      item: {
        type: 'object',
        description: 'The one resource that it was about; a singleton has no key.',
        required: ['collection'],
        properties: {
          collection: { type: 'string' },
          key: text('As a path has it, decoded.'),
        },
      },
      status: { type: 'integer' },
      verdict: { enum: ['accepted', 'refused', 'forced'] },
      condition: text('Why it was refused.'),
      undeclared: text('What decided an answer that the document does not declare.'),
      sample: {
        enum: ['example', 'generated', 'empty', 'recorded'],
        description: 'Where the answer comes from, where no state gives it.',
      },
      message: text('What was wrong, or what decided the answer.'),
      problems: listOf('RequestProblem'),
      fault: text('The id of the rule that made it go wrong.'),
      handler: {
        enum: ['answered', 'failed'],
        description: 'Set if a handler of the user made the response, or failed to.',
      },
      stack: text('The stack of the error that the handler threw.'),
      request: ref('LoggedMessage'),
      response: ref('LoggedMessage'),
      curl: text('The request again; `$CLOCHE_TOKEN` replaces credentials.'),
    },
    ['operation', 'item', 'condition', 'undeclared', 'sample', 'message', 'fault', 'handler', 'stack'],
  ),
  RequestProblem: record(
    {
      pointer: text('A JSON Pointer into the body.'),
      parameter: {
        type: 'object',
        description: 'The parameter or the header field that it is about.',
        required: ['in', 'name'],
        properties: {
          in: { enum: ['path', 'query', 'querystring', 'header', 'cookie'] },
          name: { type: 'string' },
        },
      },
      position: { type: 'integer', description: 'Where a body that is no JSON breaks, in characters.' },
      reason: { type: 'string' },
      clause: {
        type: 'object',
        description: 'The clause of the document or the policy that it breaks.',
        required: ['in', 'pointer', 'text'],
        properties: {
          in: { enum: ['document', 'policy'] },
          pointer: { type: 'string' },
          text: text('What stands there.'),
          location: ref('TextLocation'),
        },
      },
    },
    ['pointer', 'parameter', 'position', 'clause'],
  ),
  TextLocation: {
    type: 'object',
    description: 'A place in the text of the document; left out where one asks for many requests at once.',
    required: ['file', 'line', 'column'],
    properties: {
      file: { type: 'string' },
      line: { type: 'integer', minimum: 1 },
      column: { type: 'integer', minimum: 1 },
    },
  },
  LoggedMessage: record(
    {
      headers: {
        type: 'array',
        description: 'Names and values, as they were sent; `***` replaces credentials.',
        items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
      },
      body: text('The content as text, unless it is none.'),
      bytes: count('The size of the content; of what was not read, how much was announced.'),
      missing: {
        enum: ['not-read', 'too-large', 'not-kept'],
        description:
          'Why the content is not here: it was not read, it is larger than the policy allows, or than the log keeps.',
      },
    },
    ['body', 'missing'],
  ),
  RequestPage: record({
    requests: listOf('LoggedRequest'),
    dropped: count('How many gave way to newer ones.'),
    first: count('The lowest id of the log; 0 where it is empty.'),
    last: count('The highest id of the log; 0 where it is empty.'),
  }),
  RequestFilter: {
    type: 'object',
    description: 'Which requests are meant. What is left out is of no account.',
    additionalProperties: false,
    properties: {
      ...plainFilters,
      body: {
        description: 'JSON that the body contains: each given member must match; arrays match in full.',
      },
      headers: {
        type: 'object',
        description: 'Header fields of the request, names in any case.',
        additionalProperties: { type: 'string' },
      },
      after,
    },
  },
  Times: {
    description: 'How often something is expected; without it, at least once.',
    oneOf: [
      whole(0),
      {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: { atLeast: whole(0), atMost: whole(0) },
      },
    ],
  },
  Verification: record(
    {
      verified: { type: 'boolean' },
      count: { type: 'integer', minimum: 0 },
      message: text('Both what was expected and what came.'),
      nearest: {
        type: 'object',
        description: 'Where too few came: the request that comes nearest, and what about it differs.',
        required: ['request', 'differences'],
        properties: {
          request: ref('LoggedRequest'),
          differences: { type: 'array', items: { type: 'string' } },
        },
      },
    },
    ['nearest'],
  ),
};
