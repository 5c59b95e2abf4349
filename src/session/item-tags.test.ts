import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createOpenService } from '../../fixtures/create-open-service.ts';
import { buildRequest } from '../arbitrary/request.ts';
import { type Answer, type HeaderList, headerValue, type HttpRequest } from '../http/message.ts';
import type { JsonObject } from '../json/value.ts';
import { Sender } from './send-case.ts';

const task = { type: 'object', required: ['id'], properties: { id: { type: 'integer', readOnly: true } } };
const content = { 'application/json': { schema: task } };
const responses = { 200: { description: 'It.', content }, 412: { description: 'It has changed.' } };
const body = { requestBody: { content } };

/** The contract of a service whose changes require an If-Match of a schema. */
function contractWith(schema: JsonObject) {
  const parameters = [{ name: 'if-match', in: 'header', required: true, schema }];
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  return contractOf({
    paths: {
      '/tasks': { post: { operationId: 'create', ...body, responses: { 201: responses[200] } } },
      '/tasks/{id}': {
        parameters: [id],
        get: { operationId: 'read', responses },
        put: { operationId: 'replace', parameters, ...body, responses },
      },
      '/tasks/{id}/finish': {
        parameters: [id],
        post: { operationId: 'finish', parameters, responses: { 204: { description: 'Done.' } } },
      },
    },
  });
}

/** Sends plain requests for one task. Returns what arrived, with the If-Match of each request. */
async function sendAll(
  operations: readonly string[],
  tagOf: (request: HttpRequest, place: number) => string | undefined,
  schema: JsonObject = { type: 'string' },
): Promise<readonly string[]> {
  const sent: string[] = [];
  async function send(request: HttpRequest): Promise<Answer> {
    const { method, target, headers } = request;
    const tag = tagOf(request, sent.length);
    sent.push([method, target, headerValue(headers, 'if-match')].filter(Boolean).join(' '));
    await Promise.resolve();
    if (method === 'POST' && target !== '/tasks') return { kind: 'response', response: bare(204) };
    const fields: HeaderList = tag === undefined ? [] : [['ETag', tag]];
    const status = method === 'POST' ? 201 : 200;
    const type = ['Content-Type', 'application/json'] as const;
    return {
      kind: 'response',
      response: { status, headers: [type, ...fields], body: Buffer.from('{"id":7}') },
    };
  }
  const contract = contractWith(schema);
  const session = new Sender(createOpenService(contract, send)).open();
  const keys = session.openIdContext();
  for (const name of operations) {
    const operation = contract.operations.find(({ id }) => id === name);
    expect.assert(operation !== undefined);
    await session.send(buildRequest(operation), keys);
  }
  return sent;
}

const bare = (status: number) => ({ status, headers: [], body: Buffer.from('') });

test('a change names the ETag that the last response gave of its item', async () => {
  const tags = (_: HttpRequest, place: number): string => `"v${place}"`;
  expect(await sendAll(['create', 'replace', 'replace', 'read', 'finish'], tags)).toEqual([
    'POST /tasks',
    'PUT /tasks/7 "v0"',
    'PUT /tasks/7 "v1"',
    'GET /tasks/7',
    'POST /tasks/7/finish "v3"',
  ]);
});

test('an item whose ETag no response gave since its last change is read first', async () => {
  const tags = ({ method }: HttpRequest, place: number): string | undefined =>
    method === 'GET' ? `"v${place}"` : undefined;
  expect(await sendAll(['create', 'replace', 'finish', 'replace'], tags)).toEqual([
    'POST /tasks',
    'GET /tasks/7',
    'PUT /tasks/7 "v1"',
    'GET /tasks/7',
    'POST /tasks/7/finish "v3"',
    'GET /tasks/7',
    'PUT /tasks/7 "v5"',
  ]);
});

test.each([
  [{ type: 'string' }, '*'],
  [{ type: 'string', enum: ['"any"'] }, '"any"'],
])('an item without an ETag is changed under a text that %j accepts', async (schema, text) => {
  expect(await sendAll(['create', 'replace'], () => undefined, schema)).toEqual([
    'POST /tasks',
    'GET /tasks/7',
    `PUT /tasks/7 ${text}`,
  ]);
});
