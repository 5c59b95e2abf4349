import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { learnMock, type Intercept } from '../../fixtures/learn-mock.ts';
import { mockToken as token } from '../../fixtures/run-on-mock.ts';
import type { Answer, HeaderList, HttpRequest } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import { createMock } from '../mock/create-mock.ts';
import { createPolicy, type Policy } from '../policy/policy.ts';
import type { BehaviourId } from '../policy/behaviour.ts';
import { longestProbe } from '../policy/behaviours/body-limit.ts';
import { behaviours } from '../policy/behaviours/index.ts';
import type { Learnt, LearntOutcome, LearnOptions } from './events.ts';
import { learn } from './learn.ts';

function outcomeOf({ questions: asked }: Learnt, id: BehaviourId): LearntOutcome | undefined {
  return asked.find(({ question }) => question === id)?.outcome;
}

/** Those about resources are asked in suites/resource-policies.matrix.test.ts. */
const asked = Object.values(behaviours).filter(({ isOfResources }) => isOfResources !== true);

/** What of a policy would not be found back: each answer beside what came of its question. */
function findLost(learnt: Learnt, policy: Policy, ids?: readonly BehaviourId[]): readonly string[] {
  // `as`: answers are JSON.
  const answers = policy as unknown as Readonly<Record<BehaviourId, JsonValue>>;
  return asked.flatMap(({ id }) => {
    if (ids?.includes(id) === false) return [];
    const outcome = outcomeOf(learnt, id);
    const given = JSON.stringify(answers[id]);
    // Bodies as long as this limit are not sent.
    if (id === 'body-limit' && policy['body-limit'].bytes > longestProbe && outcome?.kind === 'unsettled')
      return [];
    const hidden = behaviours[id].hiddenBy?.(answers);
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
const alsoAsked: Partial<Record<BehaviourId, readonly BehaviourId[]>> = { 'int64-range': ['constraints'] };

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

const plantStore = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));

/** The mock behind something that answers some requests in its place. */
function learnBehind(intercept: Intercept, options: Partial<LearnOptions> = {}): Promise<Learnt> {
  return learnMock({}, { ...options, intercept });
}

function answerOf(status: number, headers: HeaderList = []): Answer {
  return { kind: 'response', response: { status, headers, body: new Uint8Array() } };
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
  // What it answers to who is not locked out does not show.
  expect(outcomeOf(learnt, 'missing-credentials')).toMatchObject({
    kind: 'unsettled',
    why: 'it answers 429: a guard against guessing hides what it answers otherwise',
  });
});

test('takes a request that is put off now and then for no rate', async () => {
  let sent = 0;
  const learnt = await learnBehind(
    async (request, send) => {
      sent += 1;
      return sent % 60 === 0 ? answerOf(429) : send(request);
    },
    { questions: ['rate-limit'] },
  );
  expect(outcomeOf(learnt, 'rate-limit')).toMatchObject({ kind: 'unsettled' });
});

test('keeps to a rate with all that it sends, and says of no faster one that nobody is put off', async () => {
  let now = 1_000_000;
  const times: number[] = [];
  const learnt = await learnBehind(
    async (request, send) => {
      times.push(now);
      return send(request);
    },
    {
      questions: ['missing-credentials', 'rate-limit'],
      rate: 20,
      clock: () => now,
      sleep: async (ms) => {
        now += ms;
      },
    },
  );
  expect(outcomeOf(learnt, 'rate-limit')).toMatchObject({ kind: 'unsettled' });
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
  expect(times.length - 1).toBeLessThanOrEqual(Math.ceil(seconds * 20));
});

test('does not take what a live store holds under a key for what it answers to a create', async () => {
  const held: Answer = {
    kind: 'response',
    response: {
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: new TextEncoder().encode('{"name":"Last week"}'),
    },
  };
  const questions: readonly BehaviourId[] = ['echo', 'undeclared-properties', 'duplicate-key'];
  const learnt = await learnBehind(
    async (request, send) => {
      const [, digits = ''] = /"id":(\d+)/u.exec(new TextDecoder().decode(request.body)) ?? [];
      return digits !== '' && Number(digits) % 4 < 2 ? held : send(request);
    },
    { questions },
  );
  expect(learnt.answers).toEqual({
    echo: 'exact',
    'undeclared-properties': 'ignore',
    'duplicate-key': 'refuse',
  });
});

test.each([
  [1, { constraints: { id: { minimum: 1 } } }],
  [17, {}],
])('finds a least key of %i where all refusals are alike, if it is a usual one', async (minimum, answers) => {
  let now = 1_000_000;
  const { contract, send } = await createMock(plantStore, {
    tokens: [token],
    policy: { constraints: { id: { minimum } } },
  });
  const learnt = await learn({
    contract,
    token,
    keys: [1_000, 2_000_000],
    questions: ['constraints'],
    clock: () => now,
    sleep: async (ms) => {
      now += ms;
    },
    async send(request) {
      const answer = await send(request);
      return answer.kind === 'response' && answer.response.status === 400 ? answerOf(400) : answer;
    },
  });
  expect(learnt.answers).toEqual(answers);
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
  [401, 'it rejected the token with 401'],
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

test.each<[string, Answer, string]>([
  ['fails', answerOf(500), 'it answers 500 to POST /plants, a plain request'],
  [
    'is redirected',
    answerOf(302, [['Location', 'https://login.example/']]),
    'it answers 302 to POST /plants, and sends the client to https://login.example/',
  ],
  [
    'is answered with a page',
    answerOf(200, [['Content-Type', 'text/html; charset=utf-8']]),
    'it answers 200 to POST /plants with text/html, which the document does not declare',
  ],
])('stops where every plain request %s', async (_, answer, reason) => {
  await expect(learnBehind(async () => answer)).rejects.toMatchObject({ code: 'CANNOT_JUDGE', reason });
});

test('ends where it is told to, with what was learnt by then', async () => {
  const controller = new AbortController();
  let sent = 0;
  const learnt = await learnBehind(
    async (request, send) => {
      sent += 1;
      return send(request);
    },
    {
      questions: ['accepted-tokens', 'missing-credentials', 'duplicate-key'],
      signal: controller.signal,
      emit(event) {
        if (event.kind === 'question' && event.learnt.question === 'missing-credentials') {
          controller.abort();
        }
      },
    },
  );
  expect(learnt).toMatchObject({ interrupted: true, requests: sent });
  expect(Object.keys(learnt.answers)).toEqual(['accepted-tokens', 'missing-credentials']);
  expect(outcomeOf(learnt, 'duplicate-key')).toBeUndefined();
});

test('does not wait on where it is told to end', async () => {
  const controller = new AbortController();
  const learnt = await learnBehind(async () => answerOf(503), {
    signal: controller.signal,
    sleep: async () => controller.abort(),
  });
  expect(learnt).toMatchObject({ interrupted: true, requests: 1, questions: [] });
});

/** What a service gets that reads numbers into doubles, as most do. */
function roundKeys(request: HttpRequest): HttpRequest {
  const text = new TextDecoder().decode(request.body);
  const rounded = text.replace(/"id":(\d{16,})/u, (_, digits: string) => `"id":${BigInt(Number(digits))}`);
  return { ...request, body: new TextEncoder().encode(rounded) };
}

test('finds that integers past the range are taken by who takes neighbours there for one', async () => {
  const { contract, send } = await createMock(plantStore, {
    tokens: [token],
    policy: { 'int64-range': 'accept' },
  });
  const { answers } = await learn({
    contract,
    send: (request, options) => send(roundKeys(request), options),
    token,
    keys: [1_000, 2_000_000],
    questions: ['int64-range'],
  });
  expect(answers).toEqual({ 'int64-range': 'accept' });
});

test('finds how far keys go on both sides of nought', async () => {
  const constraints = { id: { minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 } };
  const { answers } = await learnMock({ constraints }, { questions: ['constraints'] });
  expect(answers).toEqual({ constraints });
});

test('settles no answer to other media types where each has its own', async () => {
  const isText = ({ headers }: HttpRequest): boolean => headers.some(([, value]) => value === 'text/plain');
  const learnt = await learnBehind(
    async (request, send) => (isText(request) ? answerOf(415) : send(request, { framing: 'content-length' })),
    { questions: ['unsupported-media-type'] },
  );
  expect(outcomeOf(learnt, 'unsupported-media-type')).toEqual({
    kind: 'unsettled',
    why: 'text/plain is answered 415, and application/x-yaml 400: it is no one answer',
  });
});

test('reads the order of checks from a body that breaks its schema, as others may be parsed before', async () => {
  const isBroken = ({ body }: HttpRequest): boolean => new TextDecoder().decode(body) === '{';
  const { answers } = await learnBehind(
    async (request, send) =>
      isBroken(request) ? answerOf(400) : send(request, { framing: 'content-length' }),
    { questions: ['auth-order'] },
  );
  expect(answers).toEqual({ 'auth-order': 'before' });
});

test('finds which of two equal names counts though numbers are taken for texts', async () => {
  const { answers } = await learnBehind(
    async (request, send) => {
      const text = new TextDecoder().decode(request.body);
      const coerced = text.replaceAll(/"(name|tag)":(\d+)/gu, '"$1":"$2"');
      return send({ ...request, body: new TextEncoder().encode(coerced) }, { framing: 'content-length' });
    },
    { questions: ['duplicate-keys-in-json'] },
  );
  expect(answers).toEqual({ 'duplicate-keys-in-json': 'last' });
});

test('learns that a repeated key is taken where no answer shows what is kept', async () => {
  const learnt = await learnMock(
    { echo: 'none', 'duplicate-key': 'replace' },
    { questions: ['duplicate-key'] },
  );
  expect(outcomeOf(learnt, 'duplicate-key')).toMatchObject({
    kind: 'settled',
    answer: 'accept',
    alike: ['replace', 'keep-first'],
  });
});
