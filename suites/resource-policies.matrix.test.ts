import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { drawCases } from '../fixtures/draw-cases.ts';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { learnMock } from '../fixtures/learn-mock.ts';
import { mockToken, otherToken, runOnMock } from '../fixtures/run-on-mock.ts';
import { loadContract } from '../src/contract/load.ts';
import type { JsonValue } from '../src/json/value.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { documentValueOf, listQuestions } from '../src/policy/document-answers.ts';
import type { Policy } from '../src/policy/policy.ts';
import { behaviours } from '../src/policy/behaviours/index.ts';

const folder = new URL('../fixtures/documents/', import.meta.url);
const names = readdirSync(folder).filter((name) => /\.(?:yaml|json)$/u.test(name));
const ofResources = Object.values(behaviours).filter(({ isOfResources }) => isOfResources === true);

const cases = (
  await Promise.all(
    names.map(async (name) => {
      const document = fileURLToPath(new URL(name, folder));
      const contract = await loadContract(document, { followReferences: false });
      const asked = listQuestions(contract).filter(({ isOfResources }) => isOfResources === true);
      return asked.flatMap(({ id, representatives }) => {
        const open = contract.operations.filter(
          (operation) => documentValueOf({ id, operation, contract }).kind === 'open',
        );
        // `as`: answers are JSON.
        return (representatives as readonly JsonValue[]).map((answer) => ({
          name,
          document,
          id,
          answer,
          open,
        }));
      });
    }),
  )
).flat();

test('every question about resources is asked of some document', () => {
  expect(new Set(cases.filter(({ open }) => open.length > 0).map(({ id }) => id))).toEqual(
    new Set(ofResources.map(({ id }) => id)),
  );
});

describe.each(drawCases(cases, 6))(
  'a mock of $name whose $id is $answer',
  ({ document, id, answer, open }) => {
    // `as`: an answer to this very question.
    const policy = { [id]: answer } as Partial<Policy>;

    test.runIf(open.length > 0)('is found back by learn', async () => {
      const learnt = await learnMock(policy, { document, trials: 2, questions: [id] });
      const lost = open.filter(({ id: operationId }) => {
        const outcome = learnt.questions.find((each) => each.operationId === operationId)?.outcome;
        const found = outcome?.kind === 'settled' ? [outcome.answer, ...outcome.alike] : [];
        return !found.some((each) => JSON.stringify(each) === JSON.stringify(answer));
      });
      const outcomes = learnt.questions.map(
        ({ operationId, outcome }) => `${operationId} ${JSON.stringify({ ...outcome, exchanges: [] })}`,
      );
      expect(lost.length === 0 ? [] : outcomes).toEqual([]);
    });
  },
);

/** The n-th answer to each question of a document, so that every answer is given in a few policies. */
const combined = names.flatMap((name) => {
  const own = cases.filter((each) => each.name === name);
  const answersTo = new Map<string, readonly JsonValue[]>();
  for (const { id, answer } of own) answersTo.set(id, [...(answersTo.get(id) ?? []), answer]);
  const most = Math.max(...[...answersTo.values()].map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => ({
    name,
    index,
    document: fileURLToPath(new URL(name, folder)),
    policy: Object.fromEntries([...answersTo].map(([id, answers]) => [id, answers[index % answers.length]])),
  }));
});

test.each(combined)(
  'a mock of $name does as a policy says that gives answer $index to each question',
  async ({ document, policy }) => {
    const contract = await loadContract(document, { followReferences: false });
    const mock = await createMock(contract, {
      policy: { 'accepted-tokens': 'listed', ...policy },
      tokens: [mockToken, otherToken],
    });
    const result = await runOnMock({ mock, hasOtherUser: true, runs: 8 });
    expect(describeFindings(result, ['violation'])).toEqual([]);
  },
);
