import type { JsonObject } from '../../json/value.ts';
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
  text,
} from './operation.ts';

/** The operations on callbacks and webhooks. */
export const callbackOperations: OperationsAt<'/callbacks'> & OperationsAt<'/webhooks'> = {
  listCallbacks: {
    summary: 'The callbacks and webhooks that the mock sent, or did not send',
    responses: {
      '200': jsonContent('The last 1000, oldest first.', record({ callbacks: listOf('SentCallback') })),
    },
    handle: (_request, { mock }) => ok({ callbacks: mock.callbacks.list() }),
  },
  sendWebhook: {
    summary: 'Send a webhook of the document',
    parameters: [pathParameter('name', 'The name of the webhook in the document.', { type: 'string' })],
    requestBody: jsonBody('The receiver, and the content.', {
      type: 'object',
      required: ['url'],
      additionalProperties: false,
      properties: {
        url: text('The URL of the receiver. Without `--callbacks any`, it is on the machine of the mock.'),
        body: { description: 'The body; without it, the example of the document, or a generated one.' },
      },
    }),
    responses: { '200': jsonContent('What became of it.', ref('SentCallback')) },
    refuses: [422],
    handle: async ({ parameters: { name }, body }, { mock }) => ok(await mock.callbacks.send(name, body)),
  },
};

/** The schemas of callbacks and webhooks. */
export const callbackSchemas: Readonly<Record<string, JsonObject>> = {
  SentCallback: record(
    {
      id: { type: 'integer', minimum: 1 },
      time: { type: 'integer', description: 'By the clock of the mock, in milliseconds since 1970.' },
      kind: { enum: ['callback', 'webhook'] },
      name: text('Its name in the document.'),
      operation: text('The id of the operation that declares the callback.'),
      method: { type: 'string' },
      url: text('Its URL; if the exchange does not contain it, the expression of the document.'),
      body: text('The sent content as text, at most 16,384 characters.'),
      outcome: {
        enum: ['sent', 'failed', 'refused', 'off'],
        description:
          '`sent`: the receiver answered 2xx. `refused`: the host is not allowed. `off`: the mock sends no callbacks.',
      },
      status: { type: 'integer', description: 'The status of the last response.' },
      attempts: count('The number of requests that were sent.'),
      message: text('The reason for an outcome other than `sent`.'),
    },
    ['operation', 'body', 'status', 'message'],
  ),
};
