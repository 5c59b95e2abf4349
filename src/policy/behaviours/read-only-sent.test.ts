import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { mockToken, runOnMock } from '../../../fixtures/run-on-mock.ts';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../../mock/create-mock.ts';
import { allSuites } from '../../../suites/all-suites.ts';

const policySuite = allSuites.filter(({ id }) => id === 'policy-answers');
const schema = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    status: { type: 'string', readOnly: true, enum: ['open', 'closed'] },
  },
};
const content = { 'application/json': { schema } };
const one = { 200: { description: 'One.', content }, 404: { description: 'None.' } };
const requestBody = { required: true, content };

/** Runs the probes of the policy on the mock itself, which is honest. */
async function findOn(paths: JsonObject): Promise<readonly string[]> {
  await using mock = await createMock(contractOf({ paths }), { tokens: [mockToken] });
  const { findings } = await runOnMock({ mock, suites: policySuite, runs: 5 });
  return findings.map(({ finding }) => `${finding.check} ${finding.cause} ${finding.received}`);
}

test('an operation that accepts no body of the probe shows nothing', async () => {
  const found = await findOn({
    '/pets': {
      post: { requestBody, responses: { 201: { description: 'New.', content } } },
      put: { requestBody, responses: one },
    },
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: one },
    },
  });
  expect(found).toEqual([]);
});

test('another value of a read-only property is one of its enum', async () => {
  const found = await findOn({
    '/tasks': { post: { requestBody, responses: { 201: { description: 'New.', content } } } },
    '/tasks/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: one },
      put: { requestBody, responses: one },
    },
  });
  expect(found).toEqual([]);
});

test('another value of a time is not the time of the next item', async () => {
  const created = { type: 'string', format: 'date-time', readOnly: true };
  const { id, name } = schema.properties;
  const event = { ...schema, properties: { id, name, createdAt: created } };
  const json = { 'application/json': { schema: event } };
  const contract = contractOf({
    paths: {
      '/events': {
        post: {
          requestBody: { required: true, content: json },
          responses: { 201: { description: 'New.', content: json } },
        },
      },
    },
  });
  let now = Date.parse('2026-01-01T00:00:00Z');
  // An item with another time is made a millisecond after the one that it was read from.
  await using mock = await createMock(contract, { tokens: [mockToken], clock: () => now });
  const send: typeof mock.send = (request, options) => {
    now += Buffer.from(request.body ?? []).includes('createdAt') ? 1 : 0;
    return mock.send(request, options);
  };
  const { notChecked } = await runOnMock({ mock, send, suites: policySuite, runs: 5 });
  expect(notChecked.filter(({ what }) => what.includes('read-only-sent'))).toEqual([]);
});
