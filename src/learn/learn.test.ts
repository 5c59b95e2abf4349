import { expect, test } from 'vitest';
import { learnMock } from '../../fixtures/learn-mock.ts';
import type { JsonValue } from '../json/value.ts';
import { createPolicy, type Policy } from '../policy/policy.ts';
import type { QuestionId } from '../policy/question.ts';
import { questions } from '../policy/questions/index.ts';
import type { Learnt, LearntOutcome } from './events.ts';

function outcomeOf({ questions: asked }: Learnt, id: QuestionId): LearntOutcome | undefined {
  return asked.find(({ question }) => question === id)?.outcome;
}

/** Those about resources are asked in suites/resource-policies.matrix.test.ts. */
const asked = Object.values(questions).filter(({ isOfResources }) => isOfResources !== true);

/** What of a policy would not be found back: each answer beside what came of its question. */
function findLost(learnt: Learnt, policy: Policy, ids?: readonly QuestionId[]): readonly string[] {
  // `as`: answers are JSON.
  const answers = policy as unknown as Readonly<Record<QuestionId, JsonValue>>;
  return asked.flatMap(({ id }) => {
    if (ids?.includes(id) === false) return [];
    const outcome = outcomeOf(learnt, id);
    const given = JSON.stringify(answers[id]);
    const hidden = questions[id].hiddenBy?.(answers);
    if (hidden !== undefined) {
      const isNamed = outcome?.kind === 'masked' && outcome.by === hidden.by;
      return isNamed || id === 'error-codes'
        ? []
        : [`${id} is not named as masked: ${JSON.stringify(outcome)}`];
    }
    const found =
      outcome?.kind === 'settled'
        ? [outcome.answer, ...outcome.alike].map((answer) => JSON.stringify(answer))
        : [];
    return found.includes(given) ? [] : [`${id} is ${given}, and found was ${JSON.stringify(outcome)}`];
  });
}

const everyAnswer = [
  ...asked.flatMap(({ id, representatives }) => representatives.map((answer) => [id, answer] as const)),
  ['missing-credentials', { status: 302, body: 'other' }] as const,
  ['invalid-credentials', { status: 401, body: 'other' }] as const,
];

/** What else is to be asked for an answer to be found. */
const alsoAsked: Partial<Record<QuestionId, readonly QuestionId[]>> = { 'int64-range': ['constraints'] };

test.each(everyAnswer)('finds back %s: %j', async (id, answer) => {
  const policy = createPolicy({ 'accepted-tokens': 'listed', [id]: answer });
  const learnt = await learnMock(policy, { trials: 1, questions: [id, ...(alsoAsked[id] ?? [])] });
  expect(findLost(learnt, policy, [id])).toEqual([]);
});

test('finds back a policy as a whole, and names what is masked', async () => {
  const policy = createPolicy({
    'accepted-tokens': 'any',
    'duplicate-key': 'replace',
    echo: 'none',
    constraints: { id: { maximum: 2_147_483_647 } },
    'rate-limit': { perSecond: 50 },
    'auth-order': 'after',
  });
  const learnt = await learnMock(policy, { trials: 2 });
  expect(findLost(learnt, policy)).toEqual([]);
  const masked = learnt.questions.filter(({ outcome }) => outcome.kind === 'masked');
  expect(masked.map(({ question }) => question)).toEqual([
    'invalid-credentials',
    'undeclared-properties',
    'int64-range',
  ]);
});

test.each([
  { name: { minLength: 3, maxLength: 255 } },
  { name: { minLength: 10, maxLength: 12 } },
  { name: { pattern: '^[A-Za-z]*$' }, tag: { maxLength: 20 } },
  { name: { pattern: String.raw`^[^\u0000-\u001F<>]*$` } },
  { id: { minimum: 1, maximum: 2_147_483_647 } },
  { id: { minimum: 0 } },
])('finds the constraints %j to the last letter', async (constraints) => {
  for (const unique of [[], ['name']]) {
    const policy = { constraints, 'unique-properties': unique };
    const { answers } = await learnMock(policy, { questions: ['unique-properties', 'constraints'] });
    expect(answers).toEqual(policy);
  }
});
