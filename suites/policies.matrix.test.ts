import { describe, expect, test } from 'vitest';
import { drawCases, runsAllCases } from '../fixtures/draw-cases.ts';
import { createCoveringArray } from '../fixtures/covering-array.ts';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { type MockRun, mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import type { CheckId } from '../src/check/finding.ts';
import { loadContract } from '../src/contract/load.ts';
import type { RunFinding, RunResult } from '../src/events/events.ts';
import type { JsonValue } from '../src/json/value.ts';
import { learn } from '../src/learn/learn.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { createPolicy, type Policy } from '../src/policy/policy.ts';
import type { BehaviourId } from '../src/policy/behaviour.ts';
import { longestProbe } from '../src/policy/behaviours/body-limit.ts';
import { behaviours } from '../src/policy/behaviours/index.ts';
import { allSuites } from './all-suites.ts';

const contract = await loadContract(undefined, { followReferences: false });

/** Whether there is time for everything: `npm run test:policies`. */

/** The answers of one question, as policies that leave the others to their defaults. */
type Answered = readonly [id: BehaviourId, name: string, answers: Partial<Policy>];

function answered(id: BehaviourId, answer: unknown): Answered {
  return [id, JSON.stringify(answer), { [id]: answer }];
}

/** Those about resources are asked of documents that have some: resource-policies.matrix.test.ts. */
const all = Object.values(behaviours).filter(({ isOfResources }) => isOfResources !== true);

const alone: readonly Answered[] = all.flatMap(({ id, representatives }) =>
  representatives.map((answer) => answered(id, answer)),
);

/** Values that no representative is, and answers of several questions that have a say in each other. */
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
  {
    'missing-credentials': { status: 401, body: 'other' },
    'invalid-credentials': { status: 403, body: 'other' },
  },
  { 'rate-limit': { perSecond: 50 }, 'missing-credentials': { status: 429, body: 'empty' } },
];

/** Rows in which any two answers of any two questions meet. */
const rows = createCoveringArray(all.map(({ representatives }) => representatives.length)).map(
  (row): Partial<Policy> =>
    Object.fromEntries(all.map(({ id, representatives }, column) => [id, representatives[row[column] ?? 0]])),
);

const base = { 'accepted-tokens': 'listed' } as const;

function toldOf(answers: Partial<Policy> | 'nothing' | undefined): Pick<MockRun, 'policy' | 'enforced'> {
  if (answers === undefined) return {};
  return answers === 'nothing' ? { enforced: false } : { policy: createPolicy({ ...base, ...answers }) };
}

/** Between two answers passes so much that 50 requests a second are never exceeded but by what is sent at once. */
const betweenAnswersMs = 25;

/** Runs suites on the mock under a policy, and judges it by another where one is given. */
async function run(input: {
  readonly policy: Partial<Policy>;
  /** `nothing`: the run takes the mock for a service that it knows nothing of. */
  readonly enforced?: Partial<Policy> | 'nothing';
  readonly suites?: readonly string[];
  readonly runs: number;
}): Promise<RunResult> {
  let now = 0;
  const mock = await createMock(contract, {
    policy: { ...base, ...input.policy },
    tokens: [mockToken],
    clock: () => now,
  });
  const { suites } = input;
  return runOnMock({
    mock,
    runs: input.runs,
    ...toldOf(input.enforced),
    ...(suites === undefined ? {} : { suites: allSuites.filter(({ id }) => suites.includes(id)) }),
    emit(event) {
      now += event.kind === 'exchange' ? betweenAnswersMs : 0;
    },
  });
}

/** What of a policy `learn` does not find back, though nothing hides it; in words. */
async function findUnlearnt(answers: Partial<Policy>): Promise<readonly string[]> {
  let now = 0;
  const mock = await createMock(contract, { policy: answers, tokens: [mockToken], clock: () => now });
  const learnt = await learn({
    contract,
    send: mock.send,
    token: mockToken,
    keys: [1_000, 2_000_000],
    trials: 1,
    clock: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  });
  // `as`: answers are JSON.
  const policy = mock.policy as unknown as Readonly<Record<BehaviourId, JsonValue>>;
  return all.flatMap(({ id }) => {
    const outcome = learnt.questions.find(({ question }) => question === id)?.outcome;
    const found = outcome?.kind === 'settled' ? [outcome.answer, ...outcome.alike] : [];
    const isFound = found.some((answer) => JSON.stringify(answer) === JSON.stringify(policy[id]));
    // Probes send no bodies as long as this limit.
    const isTooLong =
      id === 'body-limit' && outcome?.kind === 'unsettled' && mock.policy['body-limit'].bytes > longestProbe;
    return isFound || isTooLong || behaviours[id].hiddenBy?.(policy) !== undefined
      ? []
      : [`${id} is ${JSON.stringify(policy[id])}, and found was ${JSON.stringify(outcome)}`];
  });
}

const numbered = drawCases(
  rows.map((row, index) => [index + 1, row] as const),
  6,
);

describe.each(numbered)('row %i of the array', (_row, policy) => {
  test('holds what it says', async () => {
    const result = await run({ policy, runs: runsAllCases ? 60 : 8 });
    expect(describeFindings(result, ['violation'])).toEqual([]);
  });

  test('is learnt, as far as no answer hides another', async () => {
    expect(await findUnlearnt(policy)).toEqual([]);
  });
});

describe.runIf(runsAllCases)('left to npm run test:policies, as it takes minutes', () => {
  test.each(alone)('a mock whose %s is %s holds what it says', async (_id, _name, policy) => {
    expect(describeFindings(await run({ policy, runs: 100 }), ['violation'])).toEqual([]);
  });

  // Untold, a run that has a token rightly reports a service that lets any other in.
  const unknown = [...alone.map(([, , policy]) => policy), ...further, ...rows]
    .filter((policy) => policy['accepted-tokens'] !== 'any')
    .map((policy) => [JSON.stringify(policy), policy] as const);

  test.each(unknown)('a service of which nothing is known may be one of %s', async (_name, policy) => {
    const result = await run({ policy, enforced: 'nothing', runs: 20 });
    expect(describeFindings(result, ['violation'])).toEqual([]);
  });
});

test.each(further.map((policy) => [JSON.stringify(policy), policy] as const))(
  'a mock of %s holds what it says',
  async (_name, policy) => {
    expect(describeFindings(await run({ policy, runs: runsAllCases ? 60 : 15 }), ['violation'])).toEqual([]);
  },
);

/** Told of an answer alone, a run holds the service to that one, whatever it does otherwise. */
test.each(numbered)(
  'a service that is as row %i says is held to nothing else that the policy says',
  async (_row, policy) => {
    for (const id of ['duplicate-key', 'accept'] as const) {
      let now = 0;
      const mock = await createMock(contract, {
        policy: { ...policy, 'accepted-tokens': 'listed' },
        tokens: [mockToken],
        clock: () => now,
      });
      const result = await runOnMock({
        mock,
        runs: 8,
        policy: createPolicy({ ...base, [id]: policy[id] }),
        enforced: new Set([id]),
        emit(event) {
          now += event.kind === 'exchange' ? betweenAnswersMs : 0;
        },
      });
      expect(result.findings.filter(({ finding }) => finding.check === 'drift')).toEqual([]);
    }
  },
);

test('requests that a rate limit puts off are waited for', async () => {
  let now = 0;
  let waits = false;
  const mock = await createMock(contract, {
    policy: { ...base, 'rate-limit': { perSecond: 50 } },
    tokens: [mockToken],
    // Time stands still until somebody has waited, and then runs faster than anybody asks.
    clock: () => (waits ? (now += 1_000) : now),
  });
  const result = await runOnMock({
    mock,
    runs: 1,
    suites: allSuites.filter(({ id }) => ['accept', 'credentials', 'twin-keys'].includes(id)),
    emit(event) {
      waits ||= event.kind === 'waiting';
    },
  });
  expect(result.waits).toBeGreaterThan(0);
  expect(result.findings).toEqual([]);
});

/** The suites that show which answer a service gives. */
const shownBy: Readonly<Partial<Record<BehaviourId, readonly string[]>>> = {
  'duplicate-key': ['repeated-keys'],
  'missing-credentials': ['credentials'],
  'invalid-credentials': ['credentials'],
  'accepted-tokens': ['credentials'],
  'auth-order': ['policy-answers'],
  'error-codes': ['invalid-bodies'],
  'unsupported-media-type': ['media-types'],
  'body-limit': ['policy-answers'],
  constraints: ['policy-answers', 'valid-bodies'],
  'unique-properties': ['policy-answers'],
  'undeclared-properties': ['valid-bodies'],
  'int64-range': ['valid-bodies'],
  'integer-notation': ['valid-bodies'],
  'duplicate-keys-in-json': ['policy-answers'],
  echo: ['valid-bodies'],
  'response-extras': ['valid-bodies'],
  accept: ['accept'],
  'other-operations': ['other-operations'],
  'rate-limit': ['policy-answers'],
};

/** Values that contradict more than the policy have a check of their own. */
const foundOtherwise: Readonly<Record<string, CheckId>> = {
  'accepted-tokens "listed" "any"': 'credentials-ignored',
  'echo "exact" "none"': 'echo',
};

/** What a create answers is the same in both. */
const alike = new Set(['"replace" "accept"', '"accept" "replace"']);

const wrong = all.flatMap(({ id, representatives }) => {
  const answers = representatives.map((answer) => answered(id, answer));
  return answers.flatMap(([, enforced, enforcedAnswers]) =>
    answers.flatMap(([, given, answers]) =>
      enforced === given || alike.has(`${enforced} ${given}`)
        ? []
        : [{ id, enforced, given, enforcedAnswers, givenAnswers: answers }],
    ),
  );
});

/** What a violation is about. */
function subjectOf({ finding }: RunFinding): string {
  return finding.check === 'drift' && finding.clause.kind === 'policy'
    ? finding.clause.question
    : finding.check;
}

test.each(drawCases(wrong, 6))(
  'a run that is told $id is $told finds the drift where it is $given',
  async ({ id, enforced, given, enforcedAnswers, givenAnswers }) => {
    const result = await run({
      policy: givenAnswers,
      enforced: enforcedAnswers,
      suites: shownBy[id] ?? [],
      runs: runsAllCases ? 100 : 25,
    });
    const violations = result.findings.filter(({ finding }) => finding.level === 'violation');
    expect(new Set(violations.map(subjectOf))).toEqual(
      new Set([foundOtherwise[`${id} ${enforced} ${given}`] ?? id]),
    );
  },
);
