import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, afterAll } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { DocumentError } from '../document/document.ts';
import type { JsonObject } from '../json/value.ts';
import { documentValueOf, readDocumentAnswers, withDocumentAnswers } from './document-answers.ts';
import { createPolicy, policyOf } from './policy.ts';
import type { BehaviourId, DocumentValue } from './behaviour.ts';
import { behaviours } from './behaviours/index.ts';

const body = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
};
const error = { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string' } } };
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

/** How a question stands for a create with a client's key, under bearer security, that is silent but for some members. */
function documentValue(id: BehaviourId, more: JsonObject = {}): DocumentValue<unknown> {
  const { responses = {}, ...rest } = more;
  const post: JsonObject = {
    security: [{ bearer: [] }],
    requestBody: json(body),
    ...rest,
    responses: {
      '201': {
        description: 'Created',
        ...json({ type: 'object', properties: { name: { type: 'string' } } }),
      },
      '400': { description: 'Wrong', ...json(error) },
      // `as`: tests give objects.
      ...(responses as JsonObject),
    },
  };
  const contract = contractOf({
    paths: { '/orders': { post } },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('no operation');
  return documentValueOf({ id, operation, contract });
}

const closed = { ...body, additionalProperties: false };
const bounded = {
  ...body,
  properties: { id: { type: 'integer', format: 'int32', minimum: 0, maximum: 9 }, name: { enum: ['a'] } },
};
const declared = { description: 'Declared' };

const ofEach = Object.values(behaviours).filter(({ isOfResources }) => isOfResources !== true);

test.each(ofEach.map(({ id }) => id))('a create that says little leaves %s open', (id) => {
  expect(documentValue(id).kind).toBe('open');
});

test.each<readonly [BehaviourId, JsonObject, unknown]>([
  ['duplicate-key', { responses: { '409': declared } }, 'conflict'],
  ['missing-credentials', { responses: { '401': declared } }, { status: 401, body: 'empty' }],
  [
    'invalid-credentials',
    { responses: { '403': { ...declared, ...json(error) } } },
    { status: 403, body: 'error' },
  ],
  [
    'missing-credentials',
    { responses: { '401': { ...declared, content: { 'application/problem+json': {} } } } },
    { status: 401, body: 'problem' },
  ],
  [
    'missing-credentials',
    { responses: { '401': { ...declared, content: { '*/*': {} } } } },
    { status: 401, body: 'other' },
  ],
  [
    'missing-credentials',
    { responses: { '401': { ...declared, content: { '*/*': { schema: error } } } } },
    { status: 401, body: 'error' },
  ],
  ['unsupported-media-type', { responses: { '415': declared } }, 415],
  ['accept', { responses: { '406': declared } }, 406],
  ['undeclared-properties', { requestBody: json(closed) }, 'refuse'],
  ['undeclared-properties', { requestBody: json({ ...body, additionalProperties: true }) }, undefined],
  ['constraints', { requestBody: json(bounded) }, {}],
  ['int64-range', { requestBody: json(bounded) }, 'refuse'],
  ['response-extras', { responses: { '201': { ...declared, ...json(body) } } }, 'none'],
  ['echo', { 'x-cloche-policy': { echo: 'none' } }, 'none'],
  [
    'error-codes',
    {
      responses: {
        '400': { ...declared, ...json({ properties: { code: { type: 'integer', enum: [7] } } }) },
      },
    },
    undefined,
  ],
])('a document answers %s: %j', (id, more, answer) => {
  const found = documentValue(id, more);
  expect([found.kind, found.kind === 'answered' ? found.answer : found]).toEqual(['answered', answer]);
});

test.each<readonly [BehaviourId, JsonObject]>([
  ['missing-credentials', { security: [] }],
  ['invalid-credentials', { security: [{ bearer: [] }, {}] }],
  ['accepted-tokens', { security: [] }],
  ['auth-order', { security: [] }],
  ['unsupported-media-type', { requestBody: { content: { '*/*': {} } } }],
  ['int64-range', { requestBody: json({ properties: { id: { type: 'string' } } }) }],
  ['duplicate-key', { requestBody: json({ properties: { name: { type: 'string' } } }) }],
  ['integer-notation', { requestBody: json({ properties: { name: { type: 'string' } } }) }],
  ['duplicate-keys-in-json', { requestBody: { content: { 'text/plain': {} } } }],
  ['constraints', { requestBody: { content: { 'text/plain': {} } } }],
  ['accept', { responses: { '201': declared } }],
  [
    'error-codes',
    { responses: { '400': { ...declared, ...json({ properties: { text: { type: 'string' } } }) } } },
  ],
])('%s is not asked where there is no occasion: %j', (id, more) => {
  expect(documentValue(id, more).kind).toBe('not-asked');
});

test('a document that declares 401 and 403 does not say which is for whom', () => {
  expect(
    documentValue('missing-credentials', { responses: { '401': declared, '403': declared } }),
  ).toMatchObject({
    kind: 'open',
    says: 'It declares 401 and 403',
  });
});

test('a bound that leaves the format is no bound of it', () => {
  const wide = { id: { type: 'integer', format: 'int32', minimum: 0, maximum: 3_000_000_000 } };
  expect(documentValue('int64-range', { requestBody: json({ properties: wide }) }).kind).toBe('open');
});

test('looks at each operation for all questions that a document may answer', async () => {
  const folder = new URL('../../fixtures/documents/', import.meta.url);
  const files = readdirSync(folder).filter((name) => /\.(?:yaml|json)$/u.test(name));
  const contracts = await Promise.all(
    files.map((name) => loadContract(fileURLToPath(new URL(name, folder)), { followReferences: false })),
  );
  const answered = contracts.flatMap((contract) =>
    contract.operations.flatMap((operation) =>
      Object.values(behaviours).filter((question) => {
        const said = question.documentValue(operation, contract);
        return question.scope !== 'service' && said.kind === 'answered' && said.answer !== undefined;
      }),
    ),
  );
  expect(answered.length).toBeGreaterThan(20);
  expect(answered.filter((question) => !('isDecidedByOpenApi' in question)).map(({ id }) => id)).toEqual([]);
});

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** A create of orders, with what a test adds to the root and to the operation. */
async function readContract(input: {
  readonly root?: string;
  readonly operation?: string;
}): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-'));
  folders.push(folder);
  const file = join(folder, 'orders.yaml');
  const text = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
${input.root ?? ''}
paths:
  /orders:
    post:
      operationId: createOrder
${input.operation ?? ''}
      requestBody:
        content:
          application/json:
            schema:
              { type: object, required: [id], properties: { id: { type: integer, format: int64 } } }
      responses:
        '201': { description: Created, content: { application/json: { schema: { type: object } } } }
        '409': { description: Taken }
`;
  await writeFile(file, text);
  return loadContract(file, { followReferences: false });
}

function problemsOf(contract: Contract): readonly string[] {
  try {
    readDocumentAnswers(contract);
    return [];
  } catch (error) {
    return error instanceof DocumentError
      ? error.problems.map(({ line, column, reason, remedy }) => `${line}:${column}: ${reason}. ${remedy}.`)
      : [String(error)];
  }
}

test('a document without answers leaves a policy as it is, but for what it declares', async () => {
  const contract = await readContract({});
  const policy = withDocumentAnswers(createPolicy({ 'duplicate-key': 'replace' }), contract);
  expect(policyOf(policy, 'createOrder')['duplicate-key']).toBe('conflict');
  expect(policy['duplicate-key']).toBe('replace');
});

test('what stands on an operation comes before the root, and both before a policy', async () => {
  const contract = await readContract({
    root: 'x-cloche-policy: { echo: none, int64-range: accept, other-operations: { method: 404, path: 403 } }',
    operation: '      x-cloche-policy: { int64-range: refuse }',
  });
  const policy = withDocumentAnswers(
    createPolicy({ echo: 'exact', operations: { createOrder: { echo: 'exact', accept: 406 } } }),
    contract,
  );
  const own = policyOf(policy, 'createOrder');
  expect(own).toMatchObject({ echo: 'none', 'int64-range': 'refuse', accept: 406 });
  expect(policy).toMatchObject({ 'int64-range': 'accept', 'other-operations': { method: 404, path: 403 } });
});

test('every unknown question and impossible answer is refused at its line and column', async () => {
  const contract = await readContract({
    root: 'x-cloche-policy:\n  duplicate-keys: conflict\n  echo: exakt',
    operation: '      x-cloche-policy:\n        other-operations: { method: 405, path: 404 }',
  });
  expect(problemsOf(contract)).toEqual([
    '4:3: /x-cloche-policy: there is no question "duplicate-keys". Perhaps "duplicate-key" was meant.',
    '5:3: /x-cloche-policy: "exakt" is no answer to this question. Perhaps "exact" was meant.',
    expect.stringMatching(/^11:9: .*it is about requests that reach no operation/u),
  ]);
});

test('answers that are no object are refused', async () => {
  expect(problemsOf(await readContract({ root: 'x-cloche-policy: conflict' }))).toEqual([
    expect.stringMatching(/^3:1: .*must be an object/u),
  ]);
});
