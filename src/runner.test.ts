import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import type { RequestCase } from './arbitrary/request-case.ts';
import { buildRequest } from './arbitrary/request.ts';
import type { Contract } from './contract/contract.ts';
import { loadContract } from './contract/load.ts';
import { createMock } from './mock/create-mock.ts';
import { allSuites } from '../suites/all-suites.ts';
import { lifeCycles } from '../suites/life-cycles.ts';
import { validBodies } from '../suites/valid-bodies.ts';
import type { Property, Suite } from './runner/suite.ts';

const contract = await loadContract(undefined, { followReferences: false });

function plainRequestOf({ operations: [operation] }: Contract): RequestCase {
  if (operation === undefined) throw new Error('The document has no operation.');
  return buildRequest(operation);
}

/** A suite of properties that send nothing and tell which case they were given. */
function createSuite(names: readonly string[], onCase: (testCase: unknown) => void): Suite {
  const properties = names.map((name): Property => ({
    id: name,
    title: name,
    examples: [`${name} example 1`, `${name} example 2`],
    arbitrary: fc.constant(`${name} random`),
    run(testCase) {
      onCase(testCase);
      return Promise.resolve([]);
    },
    traceChecks: [],
  }));
  return { id: 'cases', title: 'Cases', plan: () => ({ kind: 'properties', properties }) };
}

test('tries the examples of every property before the random cases of any', async () => {
  const cases: unknown[] = [];
  const names = Array.from({ length: 12 }, (_none, index) => `property ${index}`);
  const suite = createSuite(names, (testCase) => cases.push(testCase));
  const mock = await createMock(contract, { tokens: [mockToken] });
  const result = await runOnMock({ mock, suites: [suite], runs: 5 });
  expect(cases.slice(0, 24).filter((one) => String(one).endsWith('random'))).toEqual([]);
  expect(result.properties.map((property) => property.cases)).toEqual(names.map(() => 5));
});

test('begins no case when its time is over, and says how many it left out', async () => {
  const real = performance.now.bind(performance);
  let skippedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
  let cases = 0;
  const suite = createSuite(['one', 'two'], () => {
    cases += 1;
    skippedMs = cases < 7 ? 0 : 3_600_000;
  });
  const mock = await createMock(contract, { tokens: [mockToken] });
  const result = await runOnMock({ mock, suites: [suite], runs: 50_000, maxTimeMs: 3_600_000 });
  clock.mockRestore();
  expect(cases).toBe(7);
  expect(result.properties.map((property) => property.cases).reduce((sum, count) => sum + count)).toBe(7);
  expect(result.notChecked).toContainEqual({
    what: '99,993 of 100,000 cases',
    reason: 'stopped by --max-time after 7; give more time, or fewer cases with --runs',
  });
});

test('tries what a first case showed again before the examples of others take the time for it', async () => {
  const real = performance.now.bind(performance);
  let skippedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
  const examples = Array.from({ length: 300 }, (_none, index) => `example ${index}`);
  const names = Array.from({ length: 14 }, (_none, index) => `property ${index}`);
  const create = plainRequestOf(contract);
  const properties = names.map((name): Property => ({
    id: name,
    title: name,
    examples,
    arbitrary: undefined,
    async run(_testCase, session) {
      skippedMs += 1_000;
      return name === names.at(-1) ? [await session.send(create, session.openIdContext())] : [];
    },
    traceChecks:
      name === names.at(-1)
        ? [
            (trace) =>
              trace.map(({ operation }) => ({
                check: 'list-lacks',
                level: 'violation',
                operation: operation?.id ?? '',
                clause: { kind: 'document', pointer: '', quote: 'it is there' },
                expected: 'the item',
                received: 'none',
                cause: 'an item is missing',
              })),
          ]
        : [() => []],
  }));
  const suite: Suite = { id: 'cases', title: 'Cases', plan: () => ({ kind: 'properties', properties }) };
  const mock = await createMock(contract, { tokens: [mockToken] });
  const { findings } = await runOnMock({ mock, suites: [suite], runs: 300, maxTimeMs: 1_000_000 });
  clock.mockRestore();
  expect(findings.map(({ confirmed }) => confirmed)).toEqual([{ seen: 1, tried: 1 }]);
});

test('tries one case of every property before a second one of any', async () => {
  const cases: unknown[] = [];
  const names = Array.from({ length: 12 }, (_none, index) => `property ${index}`);
  const suite = createSuite(names, (testCase) => cases.push(testCase));
  const mock = await createMock(contract, { tokens: [mockToken] });
  await runOnMock({ mock, suites: [suite], runs: 5 });
  expect(cases.slice(0, 12)).toEqual(names.map((name) => `${name} example 1`));
});

test('tries nothing beside what fills something after all others, not even a first case', async () => {
  const log: string[] = [];
  const property = (id: string, more: Partial<Property>): Property => ({
    id,
    title: id,
    examples: ['first'],
    arbitrary: undefined,
    async run() {
      log.push(`${id} begins`);
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      log.push(`${id} ends`);
      return [];
    },
    phase: 'last',
    traceChecks: [],
    ...more,
  });
  const properties = [
    property('settings', { writesTo: '/settings' }),
    property('one', {}),
    property('two', {}),
  ];
  const suite: Suite = { id: 'last', title: 'Last', plan: () => ({ kind: 'properties', properties }) };
  const mock = await createMock(contract, { tokens: [mockToken] });
  await runOnMock({ mock, suites: [suite], runs: 1, maxTimeMs: 60_000 });
  expect(log[log.indexOf('settings begins') + 1]).toBe('settings ends');
  expect(log).toHaveLength(6);
});

test('breaks off what is under way when its time is over, and ticks no property that it cut off', async () => {
  const mock = await createMock(contract, { tokens: [mockToken] });
  let requests = 0;
  const result = await runOnMock({
    mock,
    suites: [validBodies],
    runs: 50,
    maxTimeMs: 1_500,
    async send(request, options) {
      requests += 1;
      // The preflight is answered, and nothing else ever is.
      if (requests === 1) return mock.send(request, options);
      await new Promise((resolve) => {
        options?.signal?.addEventListener('abort', resolve);
      });
      return { kind: 'timed-out', afterMs: 1, received: new Uint8Array() };
    },
  });
  expect([result.interrupted, result.findings]).toEqual([false, []]);
  expect(new Set(result.properties.map(({ verdict }) => verdict))).toEqual(new Set(['cut-off']));
});

/** Runs on a mock whose answers take a second each, of a clock that stands still while anything else is done. */
async function runSlowly(of: { document?: string; suites: readonly Suite[]; seconds: number }) {
  const slow = await loadContract(of.document, { followReferences: false });
  const mock = await createMock(slow, { tokens: [mockToken] });
  let elapsedMs = 0;
  const due: { at: number; go: () => void }[] = [];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
  async function waitInTurn(): Promise<void> {
    await new Promise<void>((go) => {
      due.push({ at: elapsedMs + 1_000, go });
    });
  }
  const timer = setInterval(() => {
    const next = due.shift();
    elapsedMs = Math.max(elapsedMs, next?.at ?? 0);
    next?.go();
    while (due[0]?.at === elapsedMs) due.shift()?.go();
  });
  let planned = 0;
  try {
    const result = await runOnMock({
      mock,
      suites: of.suites,
      emit(event) {
        planned = event.kind === 'run-started' ? event.properties : planned;
      },
      runs: 100,
      maxTimeMs: of.seconds * 1_000,
      async send(request, options) {
        await waitInTurn();
        return mock.send(request, options);
      },
    });
    return { ...result, planned };
  } finally {
    clearInterval(timer);
    clock.mockRestore();
  }
}

test('tries every property of one operation within ten seconds of a service that takes a second to answer', async () => {
  const { planned, findings, properties } = await runSlowly({ suites: allSuites, seconds: 10 });
  expect(findings).toEqual([]);
  // Its schema takes no long list, which is seen when the first case would be made.
  expect(properties).toHaveLength(planned - 1);
});

test('judges a life cycle that the end of the time cuts off as far as it went', async () => {
  const { properties, findings } = await runSlowly({
    document: 'fixtures/documents/articles.yaml',
    suites: [lifeCycles],
    seconds: 12,
  });
  expect(findings).toEqual([]);
  expect(properties.map(({ cases, verdict }) => [cases, verdict])).toEqual([[1, 'cut-off']]);
});

test('sends nothing where reading the document took all of its time, and says so', async () => {
  const mock = await createMock(contract, { tokens: [mockToken] });
  let requests = 0;
  const run = runOnMock({
    mock,
    suites: [validBodies],
    runs: 5,
    maxTimeMs: 10_000,
    timeFrom: performance.now() - 12_500,
    send(request, options) {
      requests += 1;
      return mock.send(request, options);
    },
  });
  await expect(run).rejects.toThrow(
    'its time was over before the first request: of 10 s, reading the document and getting ready took 12.5 s',
  );
  expect(requests).toBe(0);
});

test('judges nothing where its time is over before a case is tried', async () => {
  const suites = [createSuite(['one', 'two'], () => undefined)];
  await expect(runSlowly({ suites, seconds: 0.5 })).rejects.toThrow(
    'its time was over before a case of any suite was tried',
  );
});

test('names the suites that there was no time for', async () => {
  const real = performance.now.bind(performance);
  let skippedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
  const mock = await createMock(contract, { tokens: [mockToken] });
  const first = createSuite(['one'], () => {
    skippedMs = 3_600_000;
  });
  const second = { ...createSuite(['two'], () => undefined), id: 'second', title: 'Second' };
  const result = await runOnMock({
    mock,
    suites: [first, second],
    runs: 5,
    connections: 1,
    maxTimeMs: 3_600_000,
  });
  clock.mockRestore();
  expect(result.notChecked).toContainEqual({
    what: 'Second',
    reason: 'stopped by --max-time before any of its properties was tried',
  });
});

test('meets the operations of a large document in its suites, and some all over it before', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [
      `/things-${index}`,
      { get: { responses: { '200': { description: 'ok' } } } },
    ]),
  );
  const mock = await createMock(contractOf({ paths }));
  const asked: string[] = [];
  await runOnMock({
    mock,
    suites: [createSuite(['one'], () => undefined)],
    runs: 5,
    send(request, options) {
      asked.push(request.target);
      return mock.send(request, options);
    },
  });
  expect(asked).toHaveLength(41);
  expect(asked).toContain('/things-0');
  expect(asked.some((target) => Number(target.slice('/things-'.length)) > 95)).toBe(true);
});
