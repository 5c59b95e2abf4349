import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import { firstCase, type RequestCase } from '../src/arbitrary/request-case.ts';
import { plainRequest } from '../src/arbitrary/request.ts';
import type { Contract } from '../src/contract/contract.ts';
import { loadContract } from '../src/contract/load.ts';
import type { JsonObject } from '../src/json/value.ts';
import { withDocumentAnswers } from '../src/policy/document-answers.ts';
import { defaultPolicy, everyBehaviour } from '../src/policy/policy.ts';
import type { Property, Suite, SuitePlan } from '../src/runner/suite.ts';
import { allSuites } from './all-suites.ts';
import type { Sequence } from './property.ts';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import { headerValue, type HttpRequest, type HttpResponse } from '../src/http/message.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { changeAnswer } from '../fixtures/change-answer.ts';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { knownPrismComplaints } from '../fixtures/known-prism-complaints.ts';
import { createSecondOpinion } from '../fixtures/second-opinion.ts';
import type { CheckedExchange } from '../src/check/classify/subject.ts';
import type { RunResult } from '../src/events/events.ts';

const shipped = await loadContract(undefined, { followReferences: false });

const ok: JsonObject = { '200': { description: 'ok' } };
const severalPaths = {
  paths: {
    '/orders': {
      get: {
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        responses: ok,
      },
      post: {
        operationId: 'createOrder',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
            },
          },
        },
        responses: {
          '201': {
            description: 'created',
            content: { 'application/json': { schema: { properties: { id: { type: 'string' } } } } },
          },
        },
      },
    },
    '/orders/{order}': {
      delete: {
        parameters: [{ name: 'order', in: 'path', required: true, schema: { type: 'string' } }],
        responses: ok,
      },
    },
    '/photos': { put: { requestBody: { required: true, content: { 'image/png': {} } }, responses: ok } },
  },
};
const several = contractOf(severalPaths);
const empty = contractOf({ paths: {} });

function planOf(id: string, contract: Contract, unsafeMethods = true): SuitePlan {
  const suite = allSuites.find((one) => one.id === id);
  if (suite === undefined) throw new Error(`no suite ${id}`);
  return suite.plan({ contract, policy: defaultPolicy, enforced: everyBehaviour, unsafeMethods });
}

function propertiesOf(contract: Contract): readonly (readonly [suite: string, property: Property])[] {
  return allSuites.flatMap(({ id }) => {
    const plan = planOf(id, contract);
    return plan.kind === 'properties' ? plan.properties.map((property) => [id, property] as const) : [];
  });
}

// `as`: every property of these suites runs sequences.
function examplesOf(property: Property | undefined): readonly Sequence[] {
  return (property?.examples ?? []) as readonly Sequence[];
}

function requestsOf(sequences: readonly Sequence[]): readonly RequestCase[] {
  return sequences.flat(2);
}

test('suites have ids of their own, in kebab-case', () => {
  const ids = allSuites.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+(?:-[a-z]+)*$/u.test(id))).toEqual([]);
});

test.each([
  ['the shipped contract', shipped],
  ['a contract of several operations', several],
])('properties of %s have ids of their own, and name their operation', (_title, contract) => {
  const ids = propertiesOf(contract).map(([suite, { id }]) => `${suite}/${id}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z-]+\/.+\.[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(id))).toEqual([]);
});

const documents = new URL('../fixtures/documents/', import.meta.url);
const names = readdirSync(documents).filter((name) => /\.(?:yaml|json)$/u.test(name));

test.each(names)('plain requests are made for every operation of %s', async (name) => {
  const contract = await loadContract(fileURLToPath(new URL(name, documents)), { followReferences: false });
  const properties = propertiesOf(contract);
  const tried = new Set(properties.map(([, { id }]) => id.slice(0, id.lastIndexOf('.'))));
  expect(contract.operations.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  expect(
    properties.flatMap(([, { arbitrary }]) =>
      arbitrary ? fc.sample(arbitrary, { seed: 1, numRuns: 20 }) : [],
    ).length,
  ).toBeGreaterThan(0);
});

test('a suite that has nothing to try says why', () => {
  for (const { id } of allSuites) {
    expect(planOf(id, empty)).toEqual({
      kind: 'not-applicable',
      reason: expect.stringMatching(/^\S.*[^.]$/u),
    });
  }
});

test('of the shipped contract samples, life cycles and parameters are not applicable', () => {
  const silent = allSuites
    .filter(({ id }) => planOf(id, shipped).kind === 'not-applicable')
    .map(({ id }) => id);
  expect(silent).toEqual(['samples', 'life-cycles', 'parameters']);
});

test('every property has no more examples than it says, and at most 80 where random cases come after them', () => {
  const wrong = [...propertiesOf(shipped), ...propertiesOf(several)].filter(
    ([, { examples, arbitrary, mostExamples = Infinity, mayBeRandom = true }]) =>
      examples.length > mostExamples || (arbitrary !== undefined && (!mayBeRandom || examples.length > 80)),
  );
  expect(wrong.map(([name, { id }]) => `${name}/${id}`)).toEqual([]);
});

test('plans without making a case', () => {
  const contract = contractOf(severalPaths);
  const schemas = contract.operations.flatMap(({ parameters, requestBody }) =>
    [...parameters, ...(requestBody?.media ?? [])].flatMap(({ schema }) => schema ?? []),
  );
  const judged = schemas.map((schema) => vi.spyOn(schema, 'validator'));
  const plans = allSuites.map((suite) =>
    suite.plan({ contract, policy: defaultPolicy, unsafeMethods: true }),
  );
  const properties = plans.flatMap((plan) => (plan.kind === 'properties' ? plan.properties : []));
  expect(properties.length).toBeGreaterThan(20);
  expect(judged.map(({ mock }) => mock.calls.length)).toEqual(schemas.map(() => 0));
});

test('makes no body of an operation that an answer of the policy is not about', () => {
  const content = { 'application/json': { schema: { properties: { name: { type: 'string' } } } } };
  const parameters = [{ name: 'order', in: 'path', required: true, schema: { type: 'string' } }];
  const contract = contractOf({
    paths: { '/orders/{order}': { put: { parameters, requestBody: { content }, responses: ok } } },
  });
  const schemas = contract.operations.flatMap(({ requestBody }) =>
    (requestBody?.media ?? []).flatMap(({ schema }) => schema ?? []),
  );
  const judged = schemas.map((schema) => vi.spyOn(schema, 'validator'));
  const enforced = new Set(['auth-order', 'unique-properties'] as const);
  const suite = allSuites.find(({ id }) => id === 'policy-answers');
  const plan = suite?.plan({ contract, policy: defaultPolicy, enforced, unsafeMethods: true });
  expect([plan?.kind, judged.map(({ mock }) => mock.calls.length)]).toEqual(['not-applicable', [0]]);
});

test('makes no body where the document itself answers that there are no further constraints', () => {
  const bounded = { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } };
  const content = { 'application/json': { schema: bounded } };
  const contract = contractOf({ paths: { '/orders': { put: { requestBody: { content }, responses: ok } } } });
  const judged = contract.operations.flatMap(({ requestBody }) =>
    (requestBody?.media ?? []).map(({ schema }) => schema && vi.spyOn(schema, 'validator')),
  );
  const policy = withDocumentAnswers(defaultPolicy, contract);
  expect(Object.values(policy.operations ?? {})).toMatchObject([{ constraints: {} }]);
  const suite = allSuites.find(({ id }) => id === 'policy-answers');
  suite?.plan({ contract, policy, unsafeMethods: true });
  expect(judged.map((each) => each?.mock.calls.length)).toEqual([0]);
});

test('breaks no body for an answer of the policy while it plans', () => {
  const schemes = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };
  const post = { ...severalPaths.paths['/orders'].post, security: [{ key: [] }] };
  const contract = contractOf({ paths: { '/orders': { post } }, components: schemes });
  const [create] = contract.operations.filter(({ id }) => id === 'createOrder');
  if (create === undefined) throw new Error('no create');
  expect(plainRequest(create).problem).toBe(undefined);
  const judged = (create.requestBody?.media ?? []).map(
    ({ schema }) => schema && vi.spyOn(schema, 'validator'),
  );
  const calls = (): readonly unknown[] => judged.map((each) => each?.mock.calls.length);
  const enforced = new Set(['auth-order'] as const);
  const suite = allSuites.find(({ id }) => id === 'policy-answers');
  const plan = suite?.plan({ contract, policy: defaultPolicy, enforced, unsafeMethods: true });
  expect(calls()).toEqual([0]);
  const properties = plan?.kind === 'properties' ? plan.properties : [];
  expect(properties.map(({ examples }) => examples.length)).toEqual([4]);
  expect(calls()).not.toEqual([0]);
});

test('the first case of a property is that of its examples', () => {
  const firsts = propertiesOf(several).map(([, property]) => [firstCase(property), property.examples[0]]);
  for (const [first, example] of firsts) expect(first).toEqual(example);
});

test('random cases are the same under the same seed', () => {
  const sample = () =>
    propertiesOf(shipped).map(([, { arbitrary }]) =>
      arbitrary ? fc.sample(arbitrary, { seed: 11, numRuns: 10 }) : [],
    );
  expect(sample()).toEqual(sample());
});

test('no random case of a plain body holds a key that was generated', () => {
  const plain = propertiesOf(shipped).find(([, { id }]) => id.endsWith('.plain'))?.[1];
  const sampled = plain?.arbitrary ? fc.sample(plain.arbitrary, { seed: 3, numRuns: 50 }) : [];
  // `as`: every property of these suites runs sequences.
  const requests = requestsOf(sampled as readonly Sequence[]);
  expect(requests).toHaveLength(50);
  expect(requests.every(({ body }) => body?.some((part) => typeof part === 'object' && 'slot' in part))).toBe(
    true,
  );
});

test('the first example of a run is the plainest request there is', () => {
  const [first] = propertiesOf(shipped);
  const [request] = requestsOf(examplesOf(first?.[1]).slice(0, 1));
  expect(first?.[1].id).toMatch(/\.plain$/u);
  expect(request?.credentials).toEqual({ kind: 'good' });
  expect(request?.framing).toBe('content-length');
});

test('only safe methods are sent to undeclared operations unless others are allowed', () => {
  const methodsOf = (unsafeMethods: boolean): ReadonlySet<string> => {
    const plan = planOf('other-operations', shipped, unsafeMethods);
    return new Set(
      plan.kind === 'properties'
        ? requestsOf(examplesOf(plan.properties[0])).map(({ method }) => method)
        : [],
    );
  };
  expect(methodsOf(false)).toEqual(new Set(['GET', 'HEAD', 'OPTIONS', 'POST']));
  expect(methodsOf(true)).toEqual(new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']));
});

test('declared methods are not sent as undeclared ones', () => {
  const plan = planOf('other-operations', several);
  const requests = plan.kind === 'properties' ? requestsOf(examplesOf(plan.properties[0])) : [];
  expect(
    requests.filter(({ method, target }) => target === '/orders' && ['GET', 'POST'].includes(method)),
  ).toEqual([]);
  expect(requests.some(({ method, target }) => target === '/orders' && method === 'DELETE')).toBe(true);
});

test('twins are sent in both orders, then one key twice, each pair with keys of its own', () => {
  const plan = planOf('twin-keys', shipped);
  const [property] = plan.kind === 'properties' ? plan.properties : [];
  const [sequence = []] = examplesOf(property);
  const variants = sequence.map((pair) =>
    pair.map(({ body }) =>
      body?.flatMap((part) => (typeof part === 'object' && 'slot' in part ? [part.variant] : [])),
    ),
  );
  expect(variants).toEqual([
    [['itself'], ['double-collision']],
    [['double-collision'], ['itself']],
    [['itself'], ['itself']],
  ]);
});

test('a refused request and the valid one behind it have their key in common', () => {
  const plan = planOf('traces', shipped);
  const examples = plan.kind === 'properties' ? examplesOf(plan.properties[0]) : [];
  const slots = examples.map((sequence) =>
    sequence.map((group) =>
      group.map(({ body }) => body?.some((part) => typeof part === 'object' && 'slot' in part)),
    ),
  );
  expect(examples.length).toBeGreaterThan(15);
  expect(slots.filter((sequence) => JSON.stringify(sequence) !== '[[true,true],[true]]')).toEqual([]);
});

test('keyed suites say so where no client chooses an id', () => {
  for (const id of ['repeated-keys', 'twin-keys', 'traces']) {
    expect(planOf(id, several)).toEqual({
      kind: 'not-applicable',
      reason: expect.stringContaining('the id'),
    });
  }
});

test('an operation whose body is not JSON is left to the suites that need none', () => {
  const ids = propertiesOf(several).map(([, { id }]) => id);
  expect(ids.filter((id) => id.startsWith('PUT /photos'))).toEqual([]);
  expect(ids).toContain('DELETE /orders/{order}.sample');
  expect(ids).toContain('GET /orders.invalid-parameters');
  expect(ids).toContain('createOrder.missing-property');
});

function has(request: HttpRequest, name: string): boolean {
  return headerValue(request.headers, name) !== undefined;
}

test.each<[string, string, (request: HttpRequest) => boolean]>([
  [
    'neither body nor media type',
    'media-types',
    (request) =>
      request.method === 'POST' && (request.body?.length ?? 0) === 0 && !has(request, 'content-type'),
  ],
  [
    'a body that is no JSON, and no credentials',
    'credentials',
    (request) => !has(request, 'authorization') && new TextDecoder().decode(request.body) === '{',
  ],
])('finds a service that fails only for %s', async (_name, suite, isSeldom) => {
  const mock = await createMock(shipped, { tokens: [mockToken] });
  const { findings } = await runOnMock({
    mock,
    async send(request, options) {
      const answer = await mock.send(request, options);
      return isSeldom(request) && answer.kind === 'response'
        ? { ...answer, response: { ...answer.response, status: 500 } }
        : answer;
    },
    suites: allSuites.filter(({ id }) => id === suite),
    runs: 30,
  });
  expect(findings.map(({ finding }) => finding.check)).toEqual(['server-error']);
});

/** Runs suites on a new mock, and gives each exchange with an operation to `onExchange`. */
async function run(
  suites: readonly Suite[],
  runs: number,
  onExchange: (judged: CheckedExchange) => void,
): Promise<RunResult> {
  const mock = await createMock(shipped, { tokens: [mockToken] });
  return runOnMock({
    mock,
    suites,
    runs,
    emit(event) {
      if (event.kind === 'exchange' && event.judged.operation !== undefined) {
        onExchange(event.judged);
      }
    },
  });
}

for (const suite of allSuites) {
  const plan = suite.plan({ contract: shipped, policy: defaultPolicy, unsafeMethods: true });
  if (plan.kind === 'not-applicable') continue;
  // In process there is no connection: framing.test.ts has those that look at it.
  const inProcess = plan.properties.filter(({ via }) => via !== 'socket');
  const properties = inProcess.map((property) => [property.id, property.title, property] as const);
  describe.runIf(properties.length > 0)(suite.id, () => {
    test.each(properties)('%s: %s', async (_id, _title, property) => {
      const opinion = await createSecondOpinion(shipped);
      let exchanges = 0;
      const only: Suite = { ...suite, plan: () => ({ kind: 'properties', properties: [property] }) };
      const result = await run([only], 100, (judged) => {
        exchanges += 1;
        opinion.consider(judged);
      });
      expect(describeFindings(result, ['violation', 'warning'])).toEqual([]);
      expect(opinion.complaints()).toEqual([]);
      expect(opinion.considered()).toBe(exchanges);
    });
  });
}

describe('the second opinion, of Prism', async () => {
  const encoder = new TextEncoder();
  /** An answer of each status. */
  const seen = new Map<number, CheckedExchange>();
  await run(allSuites, 1, (judged) => {
    if (judged.answer.kind === 'response') {
      seen.set(judged.answer.response.status, judged);
    }
  });

  function answerOf(status: number): CheckedExchange {
    const judged = seen.get(status);
    if (judged === undefined) throw new Error(`no answer was ${status}`);
    return judged;
  }

  function withBody(body: string) {
    return (response: HttpResponse): HttpResponse => ({ ...response, body: encoder.encode(body) });
  }

  function withType(type: string) {
    return (response: HttpResponse): HttpResponse => ({ ...response, headers: [['Content-Type', type]] });
  }

  function withStatus(status: number) {
    return (response: HttpResponse): HttpResponse => ({ ...response, status });
  }

  test.each([
    ['a name that is a number', 200, withBody('{"name":1}'), 'property name must be string'],
    ['an answer without what is required', 200, withBody('{}'), "must have required property 'name'"],
    ['another media type', 200, withType('text/html'), 'received media type "text/html"'],
    ['a status that is not declared', 200, withStatus(201), 'Unable to match the returned status code'],
    ['an error without its message', 400, withBody('{"error":400}'), "required property 'message'"],
    ['an error past int32', 400, withBody('{"error":2147483648,"message":"no"}'), 'match format "int32"'],
  ])('refuses %s', async (_title, status, spoil, complaint) => {
    const opinion = await createSecondOpinion(shipped);
    opinion.consider(changeAnswer(answerOf(status), spoil));
    expect(opinion.complaints()).toContainEqual(expect.stringContaining(complaint));
  });

  test('has nothing against the answers that are spoiled here', async () => {
    const opinion = await createSecondOpinion(shipped);
    [200, 400].map(answerOf).forEach(opinion.consider);
    expect(opinion.complaints()).toEqual([]);
    expect(opinion.considered()).toBe(2);
  });

  test('is set aside only for reasons that still hold', async () => {
    const opinion = await createSecondOpinion(shipped);
    [...seen.values()].forEach(opinion.consider);
    expect(knownPrismComplaints.filter((known) => !opinion.known().has(known))).toEqual([]);
  });
});
