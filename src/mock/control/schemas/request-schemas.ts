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
      position: { type: 'integer', description: 'Where a body that is no JSON breaks, in characters.' },
      reason: { type: 'string' },
      clause: {
        type: 'object',
        description: 'The clause of the document that it breaks.',
        required: ['pointer', 'text'],
        properties: { pointer: { type: 'string' }, text: { type: 'string' } },
      },
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
      bytes: { type: 'integer', minimum: 0, description: 'The size of the content.' },
    },
  },
  RequestPage: {
    type: 'object',
    required: ['requests', 'dropped', 'last'],
    properties: {
      requests: { type: 'array', items: { $ref: '#/components/schemas/LoggedRequest' } },
      dropped: { type: 'integer', minimum: 0, description: 'How many gave way to newer ones.' },
      last: { type: 'integer', minimum: 0, description: 'The highest id of the log; 0 where it is empty.' },
    },
  },
  RequestFilter: {
    type: 'object',
    description: 'Which requests are meant. What is left out is of no account.',
    additionalProperties: false,
    properties: {
      operation: { type: 'string' },
      method: { type: 'string', description: 'In any case.' },
      path: {
        type: 'string',
        description: 'As it was sent, without its query, or a template of the document.',
      },
      status: { type: 'integer', minimum: 100, maximum: 599 },
      verdict: { enum: ['accepted', 'refused', 'forced'] },
      condition: { type: 'string' },
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
