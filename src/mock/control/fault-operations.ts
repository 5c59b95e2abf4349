import type { JsonObject } from '../../json/value.ts';
import { faultIdForm, type FaultRule } from '../faults/fault.ts';
import { framingFields } from '../../http/message.ts';
import {
  count,
  jsonBody,
  jsonContent,
  listOf,
  ok,
  type OperationsAt,
  pathParameter,
  record,
  ref,
  refuse,
  text,
  toPlainNumbers,
  whole,
} from './operation.ts';

const idParameter = pathParameter('id', 'The id of the rule.', {
  type: 'string',
  pattern: faultIdForm.source,
});

/** The operations on fault rules. */
export const faultOperations: OperationsAt<'/faults'> = {
  listFaults: {
    summary: 'The fault rules',
    responses: {
      '200': jsonContent(
        'The rules; of several that are for a request, the first one counts.',
        record({ faults: listOf('ActiveFaultRule') }),
      ),
    },
    handle: (_request, { mock }) => ok({ faults: mock.faults.list() }),
  },
  createFault: {
    summary: 'Add a rule after the others, or replace the one with its id',
    requestBody: jsonBody('The rule.', ref('FaultRule')),
    responses: {
      '201': {
        ...jsonContent('The rule in force.', ref('ActiveFaultRule')),
        headers: { Location: { description: 'The path of the rule.', schema: { type: 'string' } } },
      },
    },
    refuses: [422],
    handle({ body }, { mock }) {
      const rule = mock.faults.put(toFaultRule(body));
      return { status: 201, body: rule, location: `/faults/${encodeURIComponent(rule.id)}` };
    },
  },
  clearFaults: {
    summary: 'Remove all rules',
    responses: { '204': { description: 'There are no rules any more.' } },
    handle: (_request, { mock }) => mock.faults.clear(),
  },
  putFault: {
    summary: 'Replace the rule with this id, or add it',
    parameters: [idParameter],
    requestBody: jsonBody('The rule; of its ids, the one in the path counts.', ref('FaultRule')),
    responses: { '200': jsonContent('The rule in force.', ref('ActiveFaultRule')) },
    refuses: [422],
    handle: ({ body, parameters: { id } }, { mock }) => ok(mock.faults.put({ ...toFaultRule(body), id })),
  },
  deleteFault: {
    summary: 'Remove a rule',
    parameters: [idParameter],
    responses: { '204': { description: 'There is no such rule any more.' } },
    refuses: [404],
    handle: ({ parameters: { id } }, { mock }) =>
      mock.faults.delete(id) ? undefined : refuse(404, `There is no rule ${JSON.stringify(id)}.`),
  },
};

/** Converts a body to a rule. Its settings become plain numbers; the content of its response keeps its digits. */
function toFaultRule(body: FaultRule): FaultRule {
  const rule = toPlainNumbers(body);
  const content = body.answer?.body;
  return rule.answer === undefined || content === undefined
    ? rule
    : { ...rule, answer: { ...rule.answer, body: content } };
}

const delayMs = { type: 'number', minimum: 0, maximum: 3_600_000 };

/** The name of a method or of a field (RFC 9110 §5.6.2). */
const token = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";

/** The fields that only the mock sets, as a pattern that ignores case; JSON Schema has no flag for that. */
const framing: string = [...framingFields]
  .map((name) => name.replaceAll(/[a-z]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`))
  .join('|');

/** The properties of a rule, in requests and responses. */
const rule: JsonObject = {
  operation: text('The operationId it applies to.'),
  method: { type: 'string', pattern: token, description: 'The method it applies to, in any case.' },
  path: {
    type: 'string',
    pattern: '^/[^?#\\s]*$',
    description: 'The path it applies to, as sent, or a path template of the document.',
  },
  delay: {
    description: 'The delay of the response in milliseconds, or a range from which each request draws one.',
    oneOf: [delayMs, { type: 'array', items: delayMs, minItems: 2, maxItems: 2 }],
  },
  answer: {
    $ref: '#/components/schemas/ForcedAnswer',
    description: 'The response to send instead.',
  },
  connection: {
    enum: ['drop', 'truncate'],
    description: '`drop` closes the connection without a response, `truncate` in the middle of the body.',
  },
  times: {
    ...whole(1),
    description: 'How many of the next matching requests it affects; all by default.',
  },
  share: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description: 'The share of matching requests it affects, chosen by the seed.',
  },
  enabled: { type: 'boolean', description: 'Whether it is active; true by default.' },
};

const id = {
  type: 'string',
  pattern: faultIdForm.source,
  description: 'The name of the rule; a rule with the same id is replaced.',
};

/** Further properties of a listed rule; a client may send them back with a changed rule. */
const counts: JsonObject = {
  seen: { ...count('How many requests it was for.'), readOnly: true },
  applied: { ...count('How many of them went wrong by it.'), readOnly: true },
};

/** The schemas of fault rules. */
export const faultSchemas: Readonly<Record<string, JsonObject>> = {
  FaultRule: {
    type: 'object',
    additionalProperties: false,
    properties: { id, ...rule, ...counts },
    anyOf: [{ required: ['delay'] }, { required: ['answer'] }, { required: ['connection'] }],
    // A dropped connection has no response.
    if: { required: ['connection'], properties: { connection: { const: 'drop' } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { answer: false } },
  },
  ForcedAnswer: {
    type: 'object',
    required: ['status'],
    additionalProperties: false,
    properties: {
      status: { type: 'integer', minimum: 200, maximum: 599, description: 'The status, 200 to 599.' },
      example: {
        type: 'string',
        minLength: 1,
        description: 'The name of a declared example of that response.',
      },
      retryAfter: {
        type: 'integer',
        minimum: 0,
        maximum: 31_536_000,
        description: 'The Retry-After of the response, in seconds.',
      },
      headers: {
        type: 'object',
        description: 'Further fields.',
        propertyNames: { pattern: token, not: { pattern: `^(?:${framing})$` } },
        additionalProperties: { type: 'string', pattern: '^[\\t\\u0020-\\u007e\\u0080-\\u00ff]*$' },
      },
      body: { description: 'The content as JSON; by default, what the document declares for the status.' },
    },
    // A body and an example exclude each other, and some responses have no content.
    dependentSchemas: { body: { properties: { example: false } } },
    if: { properties: { status: { enum: [204, 205, 304] } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { body: false } },
  },
  ActiveFaultRule: {
    type: 'object',
    required: ['id', 'enabled', 'seen', 'applied'],
    properties: { id, ...rule, ...counts },
  },
};
