import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Answer } from '../http/answer.ts';
import type { HttpRequest } from '../http/http-request.ts';
import type { Send } from '../http/send.ts';
import type { JsonValue } from '../json/json-value.ts';
import { createMock } from '../mock/create-mock.ts';
import { createPolicy, type Policy } from '../policy/policy.ts';
import type { QuestionId } from '../policy/question-id.ts';
import { questions } from '../policy/questions.ts';
import { learn } from './learn.ts';
import type { LearnOptions } from './learn-options.ts';
import type { Learnt, LearntOutcome } from './learnt.ts';

const plantStore = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));
const token = 'the-token-of-the-tests';

/** Asks the in-process mock under a policy; its clock moves only where somebody waits. */
async function learnMock(policy: Partial<Policy>, options: Partial<LearnOptions> = {}): Promise<Learnt> {
  let now = 1_000_000;
  const mock = await createMock(plantStore, {
    policy: { 'accepted-tokens': 'listed', ...policy },
    tokens: [token],
    clock: () => now,
  });
  const { contract, send } = mock;
  return learn({
    contract,
    send,
    token,
    keys: [1_000, 2_000_000],
    clock: () => now,
    sleep: async (ms) => {
      now += ms;
    },
    ...options,
  });
}

function outcomeOf({ questions: asked }: Learnt, id: QuestionId): LearntOutcome | undefined {
  return asked.find(({ question }) => question === id)?.outcome;
}

/** What of a policy would not be found back: each answer beside what came of its question. */
function findLost(learnt: Learnt, policy: Policy, ids?: readonly QuestionId[]): readonly string[] {
  // `as`: answers are JSON.
  const answers = policy as unknown as Readonly<Record<QuestionId, JsonValue>>;
  return Object.values(questions).flatMap(({ id, mask }) => {
    if (ids?.includes(id) === false) {
      return [];
    }
    const outcome = outcomeOf(learnt, id);
    const given = JSON.stringify(answers[id]);
    const hidden = mask(answers);
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

const everyAnswer = Object.values(questions).flatMap(({ id, representatives }) =>
  representatives.map((answer) => [id, answer] as const),
);

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
    'duplicate-key',
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

/** The mock behind something that answers some requests in its place. */
async function learnBehind(
  intercept: (request: HttpRequest, send: Send) => Promise<Answer>,
  options: Partial<LearnOptions> = {},
): Promise<Learnt> {
  let now = 1_000_000;
  const clock = (): number => now;
  const { contract, send } = await createMock(plantStore, { tokens: [token], clock });
  return learn({
    contract,
    send: (request) => intercept(request, send),
    token,
    keys: [1_000, 2_000_000],
    clock,
    sleep: async (ms) => {
      now += ms;
    },
    ...options,
  });
}

function answerOf(status: number): Answer {
  return { kind: 'response', response: { status, headers: [], body: new Uint8Array() } };
}

test('takes no key for the service that a live store holds already', async () => {
  const clean = await learnMock({});
  const learnt = await learnBehind(async (request, send) => {
    const [, digits = ''] = /"id":(\d+)/u.exec(new TextDecoder().decode(request.body)) ?? [];
    const answer = await send(request);
    // Nearly every third key was created last week.
    const isHeld = digits !== '' && Number(digits) % 7 < 2;
    return isHeld && answer.kind === 'response' && answer.response.status === 200 ? answerOf(400) : answer;
  });
  expect(learnt.answers).toEqual(clean.answers);
});

test('leaves out what differs from trial to trial, and names it with its counts', async () => {
  // A request that is refused is sent once more with another key.
  let count = 0;
  const learnt = await learnBehind(
    async (request, send) => {
      count += request.headers.some(([, value]) => value === 'text/html') ? 1 : 0;
      return request.headers.some(([, value]) => value === 'text/html') && [2, 3].includes(count)
        ? answerOf(406)
        : send(request);
    },
    { questions: ['accept', 'echo'] },
  );
  expect(learnt.answers).toEqual({ echo: 'exact' });
  expect(outcomeOf(learnt, 'accept')).toEqual({
    kind: 'contradictory',
    answers: [
      { answer: 'ignore', seen: 2 },
      { answer: 406, seen: 1 },
    ],
    trials: 3,
  });
});

test('says why a question stays open, and asks the others', async () => {
  const learnt = await learnBehind(
    async (request, send) =>
      request.headers.some(([, value]) => value === 'text/html')
        ? { kind: 'timed-out', afterMs: 5_000, received: new Uint8Array() }
        : send(request),
    { questions: ['accept', 'echo'] },
  );
  expect(outcomeOf(learnt, 'accept')).toEqual({
    kind: 'unsettled',
    why: 'no whole answer within 5000 ms (nothing came)',
  });
  expect(learnt.answers).toEqual({ echo: 'exact' });
});

test('does not wait for whom a guard against guessing locks out', async () => {
  const learnt = await learnBehind(
    async (request, send) => {
      const isGood = request.headers.some(([, value]) => value === `Bearer ${token}`);
      return isGood ? send(request) : answerOf(429);
    },
    { questions: ['missing-credentials'] },
  );
  expect(learnt.waits).toBe(0);
  expect(learnt.answers).toEqual({ 'missing-credentials': { status: 429, body: 'empty' } });
});

test('sends no more requests than it may', async () => {
  let sent = 0;
  const learnt = await learnBehind(
    async (request, send) => {
      sent += 1;
      return send(request);
    },
    { mostRequests: 10, questions: ['accepted-tokens', 'missing-credentials', 'duplicate-key'] },
  );
  expect({ sent, requests: learnt.requests }).toEqual({ sent: 10, requests: 10 });
  expect(Object.keys(learnt.answers)).toEqual(['accepted-tokens', 'missing-credentials']);
  expect(outcomeOf(learnt, 'duplicate-key')).toEqual({
    kind: 'unsettled',
    why: 'as many requests were sent as may be',
  });
});

test('concludes nothing from the refusals of a service that takes no plain request', async () => {
  const learnt = await learnBehind(async () => answerOf(400), { questions: ['echo', 'other-operations'] });
  expect(outcomeOf(learnt, 'echo')).toEqual({ kind: 'unsettled', why: 'a plain request is answered 400' });
  expect(learnt.answers).toEqual({ 'other-operations': { method: 400, path: 400 } });
});

test('keeps the token out of what it hands on', async () => {
  const learnt = await learnMock({});
  expect(JSON.stringify(learnt)).not.toContain(token);
  expect(JSON.stringify(learnt)).toContain('$CLOCHE_TOKEN');
});

test.each([
  [401, 'it turns the given token away with 401'],
  [404, 'it answers 404 to POST /plants'],
])('stops where every plain request is answered %i', async (status, reason) => {
  await expect(learnBehind(async () => answerOf(status))).rejects.toMatchObject({
    code: 'CANNOT_JUDGE',
    reason,
  });
});

test('stops where the service is not there', async () => {
  const gone = learnBehind(async () => ({ kind: 'unreachable', reason: 'nobody listens there' }));
  await expect(gone).rejects.toMatchObject({ code: 'CANNOT_JUDGE' });
});
