import { expect, test } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import type { HttpRequest, Send } from '../src/http/message.ts';
import type { JsonObject } from '../src/json/value.ts';
import { runSuites } from '../src/runner/run.ts';
import { lifeCycles } from './life-cycles.ts';

const properties = {
  id: { type: 'integer', readOnly: true },
  title: { type: 'string' },
  published: { type: 'boolean' },
};
const content = { 'application/json': { schema: { type: 'object', properties } } };
const ok = { '200': { description: 'ok', content } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const contract = contractOf({
  paths: {
    '/tasks': { post: { requestBody: { content }, responses: { '201': { description: 'ok', content } } } },
    '/tasks/{id}': {
      parameters: [id],
      get: { responses: ok },
      patch: { requestBody: { content }, responses: ok },
    },
  },
});

/** Finds what life cycles show of a service of tasks. */
async function findIn(
  update: (task: JsonObject, change: JsonObject) => JsonObject,
): Promise<readonly string[]> {
  const tasks: JsonObject[] = [];
  const send: Send = ({ method, target, body }: HttpRequest) => {
    // `as`: whatever the suite sends to this document is an object.
    const sent = (body === undefined ? {} : JSON.parse(new TextDecoder().decode(body))) as JsonObject;
    const at = Number(target.split('/')[2]);
    const known = tasks[at - 1];
    if (method === 'POST') tasks.push({ published: false, ...sent, id: tasks.length + 1 });
    if (method === 'PATCH' && known !== undefined) tasks[at - 1] = update(known, sent);
    const shown = method === 'POST' ? tasks.at(-1) : tasks[at - 1];
    const text = shown === undefined || method === 'HEAD' ? '' : JSON.stringify(shown);
    return Promise.resolve({
      kind: 'response',
      response: {
        status: shown === undefined ? 404 : method === 'POST' ? 201 : 200,
        headers: shown === undefined ? [] : [['Content-Type', 'application/json']],
        body: new TextEncoder().encode(text),
      },
    });
  };
  const { findings } = await runSuites(
    [lifeCycles],
    { contract, send, socketSend: send },
    { seed: 1, keep: true },
  );
  return findings.map(({ finding: { check, level, cause } }) => `${level} ${check}: ${cause}`);
}

test('a change that puts a flag back which it does not name is found', async () => {
  expect(await findIn((task, change) => ({ ...task, published: false, ...change }))).toEqual([
    'warning merge-patch: published changed',
  ]);
  expect(await findIn((task, change) => ({ ...task, ...change }))).toEqual([]);
});
