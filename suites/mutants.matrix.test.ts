import { expect, test } from 'vitest';
import { judgeService } from '../fixtures/judge-service.ts';
import { listMutants } from '../fixtures/reference/classify.ts';
import { contractOfForm } from '../fixtures/reference/contract-of-form.ts';
import { base, type Form } from '../fixtures/reference/forms.ts';
import { createReferenceServer } from '../fixtures/reference/serve.ts';
import type { Finding } from '../src/check/finding.ts';
import { policyAnswers } from './policy-answers.ts';

const contract = contractOfForm(base);
const mutants = listMutants();

/** Returns the first violation that a run finds of a mutant. */
async function findFirst(
  id: string,
  { form = base, ...further }: Partial<Parameters<typeof judgeService>[0]> & { readonly form?: Form } = {},
): Promise<Finding | undefined> {
  const create = await mutants.find((mutant) => mutant.id === id)?.load();
  if (create === undefined) throw new Error(`Failed to find the mutant "${id}".`);
  let first: Finding | undefined;
  await judgeService({
    service: { id, title: id, create: ({ token }) => createReferenceServer(create({ form, token })) },
    contract: form === base ? contract : contractOfForm(form),
    runs: 30,
    ...further,
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
  'sort: ignored, always',
  'keep: drops false, always',
  'writes before 400, always',
  'keep: rounds to two decimals, always',
  'patched: removes what is left out, below a parent',
  'find: finds deleted items, always',
  'find: lets deleted items be changed, always',
  'read: answers with the state before, always',
  'drop: skipped, second item',
  'rows: lacks the newest, always',
  'filter: any of several, always',
  'search: ignored, always',
  'checkPrecondition: skipped, always',
  'writes before 412, always',
  'readBody: skips maximum, below a parent',
])('%s is found', async (id) => {
  expect(await findFirst(id)).toBeDefined();
});

test.each([
  ['filter: any of several, always', 'attributes', 'filter-ignored'],
  ['filter: any of several, always', 'ids', 'filter-ignored'],
  ['sort: compares numbers as texts, always', 'ids', 'sort-ignored'],
] as const)('%s is found in the form "%s"', async (id, envelope, check) => {
  expect((await findFirst(id, { form: { ...base, envelope } }))?.check).toBe(check);
});

test.each(['deletedParent: cascade', 'order: newest-first'])('%s is not accused', async (id) => {
  expect(await findFirst(id)).toBeUndefined();
});

const unique = { suites: [policyAnswers], given: { 'unique-properties': ['code'] } };

test.each(['checkUnique: skipped on a change, always', 'checkUnique: knows deleted items, always'])(
  '%s is found with the policy of unique properties',
  async (id) => {
    expect((await findFirst(id, unique))?.cause).toMatch(/^unique-properties/u);
  },
);

test('a service whose values are unique follows that policy', async () => {
  expect(await findFirst('order: newest-first', unique)).toBeUndefined();
});
