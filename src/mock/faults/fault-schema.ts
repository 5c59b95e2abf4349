import { framingFields } from '../../http/message.ts';
import type { JsonObject } from '../../json/value.ts';
import { faultIdForm } from './fault.ts';

const delayMs: JsonObject = { type: 'number', minimum: 0, maximum: 3_600_000 };

/** The name of a method or of a field (RFC 9110 §5.6.2). */
const token = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";

/** The fields that only the mock sets, as a pattern that ignores case; JSON Schema has no flag for that. */
const framing: string = [...framingFields]
  .map((name) => name.replaceAll(/[a-z]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`))
  .join('|');

const count = (description: string): JsonObject => ({
  type: 'integer',
  minimum: 0,
  description,
  readOnly: true,
});

/** The properties of a rule, in requests and responses. */
const rule: JsonObject = {
  operation: { type: 'string', description: 'The operationId it applies to.' },
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
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
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
  seen: count('How many requests it was for.'),
  applied: count('How many of them went wrong by it.'),
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
