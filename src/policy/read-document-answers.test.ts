import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { DocumentError } from '../document/document.ts';
import { readDocumentAnswers, withDocumentAnswers } from './document-answers.ts';
import { createPolicy, policyOf } from './policy.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** A create of orders, with what a test adds to the root and to the operation. */
async function contractOf(input: { readonly root?: string; readonly operation?: string }): Promise<Contract> {
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
  const contract = await contractOf({});
  const policy = withDocumentAnswers(createPolicy({ 'duplicate-key': 'replace' }), contract);
  expect(policyOf(policy, 'createOrder')['duplicate-key']).toBe('conflict');
  expect(policy['duplicate-key']).toBe('replace');
});

test('what stands on an operation comes before the root, and both before a policy', async () => {
  const contract = await contractOf({
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
  const contract = await contractOf({
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
  expect(problemsOf(await contractOf({ root: 'x-cloche-policy: conflict' }))).toEqual([
    expect.stringMatching(/^3:1: .*must be an object/u),
  ]);
});
