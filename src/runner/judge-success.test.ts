import { expect, test } from 'vitest';
import { validBodies } from '../../suites/valid-bodies.ts';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { Answer, Send } from '../http/message.ts';
import type { JsonObject } from '../json/value.ts';
import { runSuites } from './run.ts';

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const id = { type: 'integer', minimum: 1 };
const shown = json({ type: 'object', properties: { id, name: { type: 'string' } } });
const responses = {
  '201': { description: 'created', ...shown },
  '403': { description: 'refused' },
  '404': { description: 'none' },
};
const bodyOf = (properties: JsonObject): JsonObject => ({
  requestBody: { required: true, ...json({ type: 'object', required: Object.keys(properties), properties }) },
});
const name = { type: 'string', minLength: 1 };
const parameters = [{ name: 'customerId', in: 'path', required: true, schema: id }];
const reads = { get: { responses: { '200': { description: 'ok', ...shown } } } };
const contract = contractOf({
  paths: {
    '/customers': { post: { operationId: 'createCustomer', ...bodyOf({ name }), responses } },
    '/customers/{customerId}': { parameters, ...reads },
    '/customers/{customerId}/notes': {
      parameters,
      post: { operationId: 'createNote', ...bodyOf({ name }), responses },
    },
    '/customers/{customerId}/notes/{noteId}': {
      parameters: [...parameters, { name: 'noteId', in: 'path', required: true, schema: id }],
      ...reads,
    },
    '/orders': { post: { operationId: 'createOrder', ...bodyOf({ customerId: id }), responses } },
    '/orders/{orderId}': {
      parameters: [{ name: 'orderId', in: 'path', required: true, schema: id }],
      ...reads,
    },
  },
});

const respond = (status: number, text: string): Answer => ({
  kind: 'response',
  response: {
    status,
    headers: [['Content-Type', 'application/json']],
    body: new TextEncoder().encode(text),
  },
});

/** Creates customers, and refuses everything else with a status. */
const refuseWith =
  (status: number): Send =>
  ({ method, target }) =>
    Promise.resolve(
      method === 'POST' && target === '/customers' ? respond(201, '{"id":7}') : respond(status, '{}'),
    );

/** Tests one operation, without creating items for it. */
async function judge(tested: string, status: number): Promise<readonly string[]> {
  const excluded = contract.operations.filter((operation) => operation.id !== tested);
  const target = { contract, send: refuseWith(status) };
  const options = { seed: 1, runs: 5, excluded, isolated: true };
  const { findings } = await runSuites([validBodies], target, options);
  return findings.map(({ finding }) => `${finding.check} ${finding.operation}`);
}

test('reports no create that is refused because its parent or an item in its body is excluded', async () => {
  expect(await judge('createNote', 404)).toEqual([]);
  expect(await judge('createOrder', 404)).toEqual([]);
});

test('reports nothing about an excluded operation that creates what others need', async () => {
  const excluded = contract.operations.filter(({ id }) => id !== 'createNote');
  // An undeclared status of createCustomer.
  const send: Send = ({ target }) =>
    Promise.resolve(respond(target === '/customers' ? 202 : 201, '{"id":7}'));
  const { findings } = await runSuites([validBodies], { contract, send }, { seed: 1, runs: 5, excluded });
  expect(findings.map(({ finding }) => finding.operation)).not.toContain('createCustomer');
});

test('reports a create that is refused for another reason', async () => {
  expect(await judge('createNote', 403)).toEqual(['never-succeeds createNote']);
});
