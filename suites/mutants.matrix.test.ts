import { expect, test } from 'vitest';
import { judgeService } from '../fixtures/judge-service.ts';
import { listMutants } from '../fixtures/reference/classify.ts';
import { base, toDocument } from '../fixtures/reference/forms.ts';
import { createReferenceServer } from '../fixtures/reference/serve.ts';
import type { Finding } from '../src/check/finding.ts';
import { buildContract } from '../src/contract/build.ts';
import type { JsonObject } from '../src/json/value.ts';

// `as`: what the reference serves as its document is one.
const root = toDocument(base) as JsonObject & { readonly openapi: string };
const contract = buildContract({
  source: 'reference',
  version: '3.1',
  openapi: root.openapi,
  locate: () => undefined,
  root,
});
const mutants = listMutants();

/** Returns the first violation that a run finds of a mutant. */
async function findFirst(id: string): Promise<Finding | undefined> {
  const create = await mutants.find((mutant) => mutant.id === id)?.load();
  if (create === undefined) throw new Error(`Failed to find the mutant "${id}".`);
  let first: Finding | undefined;
  await judgeService({
    service: { id, title: id, create: ({ token }) => createReferenceServer(create({ form: base, token })) },
    contract,
    runs: 30,
    isSought: (finding) => {
      if (finding.level === 'violation') first ??= finding;
      return first !== undefined;
    },
  });
  return first;
}

// A part of what `npm run mutants` tries.
test.each([
  'keep: skipped on a change, second item',
  'keep: skipped on a create, below a parent',
  'keep: drops false, always',
  'writes before 400, always',
  'replaced: keeps what is left out, always',
  'patched: removes what is left out, below a parent',
  'find: finds deleted items, always',
  'read: answers with the state before, always',
  'drop: skipped, second item',
  'rows: lacks the newest, always',
  'filter: ignored, always',
  'page: one more than the limit, always',
  'checkPrecondition: skipped, always',
  'checkParent: skipped, always',
  'readBody: skips maximum, below a parent',
])('%s is found', async (id) => {
  expect(await findFirst(id)).toBeDefined();
});

test.each(['deletedParent: cascade', 'order: newest-first'])('%s is not accused', async (id) => {
  expect(await findFirst(id)).toBeUndefined();
});
