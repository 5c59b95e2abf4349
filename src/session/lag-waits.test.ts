import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createOpenService } from '../../fixtures/create-open-service.ts';
import { buildRequest } from '../arbitrary/request.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Answer, HttpRequest } from '../http/message.ts';
import type { JsonObject } from '../json/value.ts';
import { Sender } from './send-case.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const json = (shown: JsonObject) => ({ description: '', content: { 'application/json': { schema: shown } } });

/** Opens a service whose list shows the created item after a time, in milliseconds. */
function open(description: string, lagMs: number) {
  const contract = contractOf({
    paths: {
      '/tasks': {
        post: {
          operationId: 'createTask',
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
          responses: { '201': json(schema) },
        },
        get: {
          operationId: 'listTask',
          description,
          responses: { '200': json({ type: 'array', items: schema }) },
        },
      },
    },
  });
  let createdAt = Infinity;
  const send = ({ method }: HttpRequest): Promise<Answer> => {
    if (method === 'POST') createdAt = performance.now();
    const shown = performance.now() - createdAt < lagMs ? '[]' : '[{"id":7}]';
    const body = new TextEncoder().encode(method === 'POST' ? '{"id":7}' : shown);
    const headers = [['Content-Type', 'application/json']] as const;
    return Promise.resolve({
      kind: 'response',
      response: { status: method === 'POST' ? 201 : 200, headers, body },
    });
  };
  const sender = new Sender(createOpenService(contract, send));
  const [create, list] = ['createTask', 'listTask'].map((id) => {
    const operation = contract.operations.find((each) => each.id === id);
    return operation && buildRequest(operation);
  });
  expect.assert(create !== undefined && list !== undefined);
  /** Creates an item, lists until the session waits no longer, and returns the times of the lists and the last one. */
  return async (how: { readonly far?: boolean } = {}) => {
    const session = sender.open(how);
    const keys = session.openIdContext();
    const made = await session.send(create, keys);
    const start = performance.now();
    const times: number[] = [];
    let listed: CheckedExchange;
    let isAgain: boolean;
    do {
      times.push(performance.now() - start);
      listed = await session.send(list, keys);
      const waiting = session.waitsForLag([made, listed], 1);
      await vi.runAllTimersAsync();
      isAgain = await waiting;
    } while (isAgain);
    const { answer } = listed;
    return {
      times,
      shown: answer.kind === 'response' ? new TextDecoder().decode(answer.response.body) : '',
    };
  };
}

test('waits with growing pauses until the list shows the item', async () => {
  const run = open('It may take up to 2 seconds to appear.', 300);
  expect(await run()).toEqual({ times: [0, 50, 100, 200, 400], shown: '[{"id":7}]' });
});

test('waits no longer than the stated time', async () => {
  const run = open('It may take up to 2 seconds to appear.', Infinity);
  expect(await run()).toEqual({ times: [0, 50, 100, 200, 400, 800, 1600, 2001], shown: '[]' });
});

test.each([['All tasks.'], ['It may take up to 2 hours to appear.']])(
  'does not wait for a list that is wrong: "%s"',
  async (description) => {
    const run = open(description, Infinity);
    expect((await run()).times).toEqual([0]);
  },
);

test('waits 30 seconds for an operation in total, and longer to confirm a finding', async () => {
  const run = open('Visible after up to 5 seconds.', Infinity);
  const waits: number[] = [];
  for (let tried = 0; tried < 7; tried += 1) waits.push((await run()).times.at(-1) ?? 0);
  expect(waits).toEqual([5001, 5001, 5001, 5001, 5001, 0, 0]);
  expect((await run({ far: true })).times.at(-1)).toBe(5001);
});
