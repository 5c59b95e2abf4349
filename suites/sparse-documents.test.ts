import { expect, test } from 'vitest';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import type { Level } from '../src/check/finding.ts';
import { buildContract } from '../src/contract/build.ts';
import type { JsonObject } from '../src/json/value.ts';
import { createMock } from '../src/mock/create-mock.ts';
import type { Policy } from '../src/policy/policy.ts';

const item: JsonObject = {
  type: 'object',
  required: ['id', 'label'],
  properties: { id: { type: 'integer', format: 'int64' }, label: { type: 'string' } },
};
const content: JsonObject = { 'application/json': { schema: item } };
const ok: JsonObject = { description: 'It is there.', content };
const error: JsonObject = {
  description: 'It went wrong.',
  content: { 'application/json': { schema: { type: 'object', properties: { code: { type: 'integer' } } } } },
};
const requestBody: JsonObject = { required: true, content };

/** What a run on the mock of a document finds, at one of the levels. */
async function findingsOf(input: {
  readonly paths: JsonObject;
  readonly policy?: Partial<Policy>;
  readonly levels: readonly Level[];
}): Promise<readonly string[]> {
  const contract = buildContract({
    source: 'items.yaml',
    version: '3.1',
    openapi: '3.1.0',
    root: { openapi: '3.1.0', info: { title: 'Items', version: '1' }, paths: input.paths },
    locate: () => undefined,
  });
  const mock = await createMock(contract, { tokens: [mockToken], policy: input.policy ?? {} });
  const result = await runOnMock({ mock, runs: 40 });
  return describeFindings(result, input.levels);
}

test.each<[string, JsonObject]>([
  [
    'declares no refusal at all',
    { '/items': { post: { operationId: 'add', requestBody, responses: { '201': ok } } } },
  ],
  [
    'declares 422 alone for what is refused',
    { '/items': { post: { operationId: 'add', requestBody, responses: { '201': ok, '422': error } } } },
  ],
  [
    'declares 404 alone, and has a parameter that may be invalid',
    {
      '/items/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'read', responses: { '200': ok, '404': error } },
      },
    },
  ],
  [
    'has paths that must be percent-encoded',
    {
      '/entrées/"new"': {
        post: { operationId: 'add', requestBody, responses: { '201': ok, '400': error } },
      },
    },
  ],
])('the mock of a document that %s is without a violation', async (_, paths) => {
  expect(await findingsOf({ paths, levels: ['violation'] })).toEqual([]);
});

test('a value that the policy wants only once is no undeclared constraint', async () => {
  const paths: JsonObject = {
    '/items': { post: { operationId: 'add', requestBody, responses: { '201': ok, '400': error } } },
  };
  const policy = { 'unique-properties': ['label'] };
  expect(await findingsOf({ paths, policy, levels: ['violation', 'warning'] })).toEqual([]);
});
