import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createOpenService } from '../../fixtures/create-open-service.ts';
import { buildRequest } from '../arbitrary/request.ts';
import type { Answer, HttpRequest } from '../http/message.ts';
import { Sender } from './send-case.ts';

const task = { type: 'object', required: ['id'], properties: { id: { type: 'integer', readOnly: true } } };
const content = { 'application/json': { schema: task } };
const responses = { 200: { description: 'It.', content }, 404: { description: 'None.' } };
const contract = contractOf({
  paths: {
    '/tasks': {
      post: { operationId: 'create', requestBody: { content }, responses: { 201: responses[200] } },
    },
    '/tasks/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'read', responses },
      delete: { operationId: 'remove', responses: { 204: { description: 'Gone.' }, 404: responses[404] } },
    },
  },
});

/** A service of tasks, and what was sent to it. */
function createTasks() {
  const tasks = new Set<string>();
  const sent: string[] = [];
  let number = 0;
  async function send({ method, target }: HttpRequest): Promise<Answer> {
    sent.push(`${method} ${target}`);
    const headers: [string, string][] = [['Content-Type', 'application/json']];
    const answer = (status: number, text = ''): Answer => ({
      kind: 'response',
      response: { status, headers: text === '' ? [] : headers, body: Buffer.from(text) },
    });
    await Promise.resolve();
    if (method === 'POST') {
      number += 1;
      tasks.add(`/tasks/${number}`);
      return answer(201, `{"id":${number}}`);
    }
    if (!tasks.has(target)) return answer(404);
    if (method === 'GET') return answer(200, `{"id":${target.slice(7)}}`);
    tasks.delete(target);
    return answer(204);
  }
  return { send, sent };
}

test('a case names no item that was deleted after the case before it', async () => {
  const { send, sent } = createTasks();
  const sender = new Sender(createOpenService(contract, send));
  for (const operationId of ['read', 'remove']) {
    const operation = contract.operations.find(({ id }) => id === operationId);
    expect.assert(operation !== undefined);
    const session = sender.open();
    await session.send(buildRequest(operation), session.openIdContext());
    await sender.cleanUp.takeAway(session.records, () => false);
  }
  expect(sent).toEqual(['POST /tasks', 'GET /tasks/1', 'DELETE /tasks/1']);
});
