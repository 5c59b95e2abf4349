import { expect, test } from 'vitest';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { type MockRun, mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import { loadContract } from '../src/contract/load-contract.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { createPolicy, type Policy } from '../src/policy/policy.ts';
import type { QuestionId } from '../src/policy/question-id.ts';
import { questions } from '../src/policy/questions.ts';
import type { RunResult } from '../src/runner/run-event.ts';
import { allSuites } from './all-suites.ts';

const contract = await loadContract(undefined, { followReferences: false });

/** The answers of one question, as policies that leave the others to their defaults. */
type Answered = readonly [id: QuestionId, name: string, answers: Partial<Policy>];

function answered(id: QuestionId, answer: unknown): Answered {
  return [id, JSON.stringify(answer), { [id]: answer }];
}

const alone: readonly Answered[] = Object.values(questions).flatMap(({ id, representatives }) =>
  representatives.map((answer) => answered(id, answer)),
);

/** Answers that no representative is, and answers of several questions that have a say in each other. */
const further: readonly Partial<Policy>[] = [
  { 'duplicate-key': 'keep-first' },
  { 'duplicate-key': 'unprocessable' },
  { 'duplicate-key': 'accept', 'unique-properties': ['name'] },
  { 'duplicate-key': 'replace', echo: 'none' },
  { constraints: { tag: { maxLength: 1 } } },
  { 'auth-order': 'after', constraints: { name: { minLength: 8 } } },
  { 'auth-order': 'after', constraints: { tag: { maxLength: 1 } }, 'integer-notation': 'no' },
  { 'int64-range': 'accept', 'integer-notation': 'no' },
  { 'int64-range': 'accept', 'duplicate-keys-in-json': 'first' },
  { 'unsupported-media-type': 'read', 'undeclared-properties': 'refuse', 'duplicate-key': 'conflict' },
  { 'response-extras': 'id', 'undeclared-properties': 'store', echo: 'none' },
];

const base = { 'accepted-tokens': 'listed' } as const;

function toldOf(answers: Partial<Policy> | 'nothing' | undefined): Pick<MockRun, 'policy' | 'told'> {
  if (answers === undefined) {
    return {};
  }
  return answers === 'nothing' ? { told: false } : { policy: createPolicy({ ...base, ...answers }) };
}

/** Runs suites on the mock under a policy, told another where one is given. */
async function run(input: {
  readonly policy: Partial<Policy>;
  /** `nothing`: the run takes the mock for a service that it knows nothing of. */
  readonly told?: Partial<Policy> | 'nothing';
  readonly suites?: readonly string[];
  readonly runs: number;
}): Promise<RunResult> {
  let now = 0;
  let waits = false;
  const mock = await createMock(contract, {
    policy: { ...base, ...input.policy },
    tokens: [mockToken],
    // Time stands still until somebody has waited, and then runs faster than anybody asks.
    clock: () => (waits ? (now += 1_000) : now),
  });
  const { suites } = input;
  return runOnMock({
    mock,
    runs: input.runs,
    ...toldOf(input.told),
    ...(suites === undefined ? {} : { suites: allSuites.filter(({ id }) => suites.includes(id)) }),
    emit(event) {
      waits ||= event.kind === 'waiting';
    },
  });
}

test.each(alone)('a mock whose %s is %s holds what it says', async (_id, _name, policy) => {
  expect(describeFindings(await run({ policy, runs: 30 }), ['violation'])).toEqual([]);
});

test.each(further.map((policy) => [JSON.stringify(policy), policy] as const))(
  'a mock of %s holds what it says',
  async (_name, policy) => {
    expect(describeFindings(await run({ policy, runs: 30 }), ['violation'])).toEqual([]);
  },
);

// Untold, a run that has a token rightly reports a service that lets any other in.
const unknown = [...alone.map(([, , policy]) => policy), ...further]
  .filter((policy) => policy['accepted-tokens'] !== 'any')
  .map((policy) => [JSON.stringify(policy), policy] as const);

test.each(unknown)('a service of which nothing is known may be one of %s', async (_name, policy) => {
  const result = await run({ policy, told: 'nothing', runs: 20 });
  expect(describeFindings(result, ['violation'])).toEqual([]);
});

test('requests that a rate limit puts off are waited for', async () => {
  const result = await run({
    policy: { 'rate-limit': { perSecond: 50 } },
    suites: ['accept', 'credentials', 'twin-keys'],
    runs: 1,
  });
  expect(result.waits).toBeGreaterThan(0);
  expect(result.findings).toEqual([]);
});

/** The suites that show which answer a service gives; a question that is not here is not held. */
const shownBy: Partial<Record<QuestionId, readonly string[]>> = {
  'duplicate-key': ['repeated-keys'],
  'missing-credentials': ['credentials'],
  'invalid-credentials': ['credentials'],
  'unsupported-media-type': ['media-types'],
  'int64-range': ['valid-bodies'],
  'integer-notation': ['valid-bodies'],
  accept: ['accept'],
  'other-operations': ['other-operations'],
};

/** What a create answers is the same in both. */
const alike = new Set(['"replace" "accept"', '"accept" "replace"']);

const wrong = Object.values(questions).flatMap(({ id, representatives }) => {
  const suites = shownBy[id];
  const answers = representatives.map((answer) => answered(id, answer));
  return suites === undefined
    ? []
    : answers.flatMap(([, told, toldAnswers]) =>
        answers.flatMap(([, given, answers]) =>
          told === given || alike.has(`${told} ${given}`)
            ? []
            : [{ id, told, given, toldAnswers, givenAnswers: answers, suites }],
        ),
      );
});

test.each(wrong)(
  'a run that is told $id is $told finds the drift where it is $given',
  async ({ id, toldAnswers, givenAnswers, suites }) => {
    const result = await run({ policy: givenAnswers, told: toldAnswers, suites, runs: 100 });
    const drifts = result.findings.filter(({ finding }) => finding.check === 'drift');
    const asked = drifts.map(({ finding }) => finding.clause.kind === 'policy' && finding.clause.question);
    expect(new Set(asked)).toEqual(new Set([id]));
    expect(drifts.map(({ finding }) => finding.level)).toContain('violation');
  },
);
