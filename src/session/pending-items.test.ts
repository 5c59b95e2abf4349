import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createOpenService } from '../../fixtures/create-open-service.ts';
import { buildRequest } from '../arbitrary/request.ts';
import type { Answer, HttpRequest } from '../http/message.ts';
import { Sender } from './send-case.ts';

const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const shown = { description: '', content: { 'application/json': { schema } } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const contract = contractOf({
  paths: {
    '/tasks': {
      post: {
        operationId: 'createTask',
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { '202': shown, '201': shown },
      },
    },
    '/tasks/{id}': {
      get: {
        operationId: 'getTask',
        parameters: [id],
        responses: { '200': shown, '404': { description: '' } },
      },
    },
  },
});

/** Creates an item, reads it, and returns the status of the read and how many reads the service got. */
async function createAndRead(created: number, misses: number): Promise<readonly [number, number]> {
  let reads = 0;
  function respond(status: number): Answer {
    const headers = [['Content-Type', 'application/json']] as const;
    return { kind: 'response', response: { status, headers, body: new TextEncoder().encode('{"id":7}') } };
  }
  const send = ({ method }: HttpRequest): Promise<Answer> => {
    if (method === 'POST') return Promise.resolve(respond(created));
    reads += 1;
    return Promise.resolve(respond(reads > misses ? 200 : 404));
  };
  const session = new Sender(createOpenService(contract, send)).open();
  const keys = session.openIdContext();
  const [create, read] = contract.operations.map((operation) => buildRequest(operation));
  expect.assert(create !== undefined && read !== undefined);
  await session.send(create, keys);
  const { answer } = await session.send(read, keys);
  return [answer.kind === 'response' ? answer.response.status : 0, reads];
}

test('reads an item again until it is there if its create was answered with 202', async () => {
  expect(await createAndRead(202, 2)).toEqual([200, 3]);
});

test('reads an item once if its create was answered with 201', async () => {
  expect(await createAndRead(201, 2)).toEqual([404, 1]);
});
