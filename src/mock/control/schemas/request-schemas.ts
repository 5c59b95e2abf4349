import type { JsonObject } from '../../../json/json-value.ts';

const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/** The schemas of the request log. */
export const requestSchemas: Readonly<Record<string, JsonObject>> = {
  LoggedRequest: {
    type: 'object',
    required: [
      'id',
      'time',
      'durationMs',
      'method',
      'target',
      'status',
      'verdict',
      'problems',
      'request',
      'response',
      'curl',
    ],
    properties: {
      id: { type: 'integer', minimum: 1 },
      time: { type: 'number', description: 'When it had come, in milliseconds since 1970.' },
      durationMs: { type: 'number', description: 'From its head to the answer.' },
      method: { type: 'string' },
      target: { type: 'string', description: 'Path and query, as they were sent.' },
      operation: { type: 'string', description: 'The id of the operation that it led to.' },
      status: { type: 'integer' },
      verdict: { enum: ['accepted', 'refused', 'forced'] },
      condition: { type: 'string', description: 'Why it was refused.' },
      undeclared: {
        type: 'string',
        description: 'What decided an answer that the document does not declare.',
      },
      message: { type: 'string', description: 'What was wrong, or what decided the answer.' },
      problems: { type: 'array', items: { $ref: '#/components/schemas/RequestProblem' } },
      fault: { type: 'string', description: 'The id of the rule that made it go wrong.' },
      request: { $ref: '#/components/schemas/LoggedMessage' },
      response: { $ref: '#/components/schemas/LoggedMessage' },
      curl: { type: 'string', description: 'The request again; `$CLOCHE_TOKEN` stands for credentials.' },
    },
  },
  RequestProblem: {
    type: 'object',
    required: ['reason'],
    properties: {
      pointer: { type: 'string', description: 'A JSON Pointer into the body.' },
      parameter: {
        type: 'object',
        description: 'The parameter or the header field that it is about.',
        required: ['in', 'name'],
        properties: { in: { enum: ['path', 'query', 'header', 'cookie'] }, name: { type: 'string' } },
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
          text: { type: 'string', description: 'What stands there.' },
          location: { $ref: '#/components/schemas/TextLocation' },
        },
      },
    },
  },
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
  LoggedMessage: {
    type: 'object',
    required: ['headers', 'bytes'],
    properties: {
      headers: {
        type: 'array',
        description: 'Names and values, as they were sent; `***` stands for credentials.',
        items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
      },
      body: { type: 'string', description: 'The content as text, unless it is none.' },
      bytes: {
        type: 'integer',
        minimum: 0,
        description: 'The size of the content; of what was not read, how much was announced.',
      },
      missing: {
        enum: ['not-read', 'too-large', 'not-kept'],
        description:
          'Why the content is not here: it was not read, it is larger than the policy allows, or than the log keeps.',
      },
    },
  },
  RequestPage: {
    type: 'object',
    required: ['requests', 'dropped', 'first', 'last'],
    properties: {
      requests: { type: 'array', items: { $ref: '#/components/schemas/LoggedRequest' } },
      dropped: { type: 'integer', minimum: 0, description: 'How many gave way to newer ones.' },
      first: { type: 'integer', minimum: 0, description: 'The lowest id of the log; 0 where it is empty.' },
      last: { type: 'integer', minimum: 0, description: 'The highest id of the log; 0 where it is empty.' },
    },
  },
  RequestFilter: {
    type: 'object',
    description: 'Which requests are meant. What is left out is of no account.',
    additionalProperties: false,
    properties: {
      operation: { type: 'string', description: 'The id of the operation.' },
      method: { type: 'string', description: 'The method, in any case.' },
      path: {
        type: 'string',
        description: 'The path as it was sent, without its query, or a template of the document.',
      },
      status: { type: 'integer', minimum: 100, maximum: 599, description: 'The status of the answer.' },
      verdict: { enum: ['accepted', 'refused', 'forced'], description: 'What the mock made of it.' },
      condition: { type: 'string', description: 'Why it was refused.' },
      search: { type: 'string', description: 'A text that target, body or message holds, in any case.' },
      body: { description: 'What the body holds: each member given must be in it; arrays in full.' },
      headers: {
        type: 'object',
        description: 'Fields that it has, names in any case.',
        additionalProperties: { type: 'string' },
      },
      after: { ...count, description: 'Requests with a higher id.' },
    },
  },
  Times: {
    description: 'How often something is expected; without it, at least once.',
    oneOf: [
      count,
      {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: { atLeast: count, atMost: count },
      },
    ],
  },
  Verification: {
    type: 'object',
    required: ['verified', 'count', 'message'],
    properties: {
      verified: { type: 'boolean' },
      count: { type: 'integer', minimum: 0 },
      message: { type: 'string', description: 'Both what was expected and what came.' },
      nearest: {
        type: 'object',
        description: 'Where too few came: the request that comes nearest, and what about it differs.',
        required: ['request', 'differences'],
        properties: {
          request: { $ref: '#/components/schemas/LoggedRequest' },
          differences: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};
