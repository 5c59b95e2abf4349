import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import { loadContract } from '../contract/load.ts';
import type { NotChecked, RunEvent } from '../events/events.ts';
import { createMock } from '../mock/create-mock.ts';
import { planSuites } from './run.ts';
import type { Property, Suite } from './suite.ts';

const contract = await loadContract(undefined, { followReferences: false });

/** How many cases each of so many properties is planned to try, where nobody says, or as is said. */
async function plannedCases(properties: number, how: Partial<Property> & { readonly runs?: number } = {}) {
  const { runs, ...changes } = how;
  const one = (id: number): Property => ({
    id: `property-${id}`,
    title: 'It holds',
    examples: [1],
    arbitrary: fc.integer(),
    run: () => Promise.resolve([]),
    traceChecks: [],
    ...changes,
  });
  const made = Array.from({ length: properties }, (_none, id) => one(id));
  const suite: Suite = { id: 's', title: 'S', plan: () => ({ kind: 'properties', properties: made }) };
  const mock = await createMock(contract, { tokens: [mockToken] });
  const started: RunEvent[] = [];
  await runOnMock({
    mock,
    suites: [suite],
    runs,
    emit: (event) => event.kind === 'run-started' && started.push(event),
  });
  const [event] = started;
  return event?.kind === 'run-started' ? event.cases / properties : undefined;
}

test('tries 100 cases of each of a few properties, and fewer where there are many', async () => {
  expect(await plannedCases(40)).toBe(100);
  expect(await plannedCases(100)).toBe(40);
  expect(await plannedCases(1_000)).toBe(10);
  expect(await plannedCases(40, { mostRequests: 3 })).toBe(30);
});

test('tries as many as it is told to', async () => {
  expect(await plannedCases(100, { runs: 60 })).toBe(60);
});

test('plans the operations that are ready in time, and says which are not', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 4_000 }, (_none, id) => {
      const schema = {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', maxLength: id + 1 } },
      };
      const requestBody = { content: { 'application/json': { schema } } };
      return [`/things-${id}`, { post: { requestBody, responses: { 201: { description: 'Made' } } } }];
    }),
  );
  const planned: number[] = [];
  const suite: Suite = {
    id: 's',
    title: 'S',
    plan({ contract: { operations } }) {
      planned.push(operations.length);
      const properties = operations.slice(0, 1).map(({ id }) => ({
        id,
        title: 'It holds',
        examples: [1],
        arbitrary: undefined,
        run: () => Promise.resolve([]),
        traceChecks: [],
      }));
      return { kind: 'properties', properties };
    },
  };
  const mock = await createMock(contractOf({ paths }), { tokens: [mockToken] });
  const notChecked: NotChecked[] = [];
  await runOnMock({
    mock,
    suites: [suite],
    runs: 1,
    maxTimeMs: 400,
    emit: (event) => event.kind === 'run-finished' && notChecked.push(...event.result.notChecked),
    // On a busy machine the time may be over before the one case is tried.
  }).catch(() => undefined);
  const [ready = 0] = planned;
  expect(ready).toBeGreaterThan(0);
  expect(ready).toBeLessThan(4_000);
  expect(notChecked).toContainEqual({
    what: `POST /things-${ready}, POST /things-${ready + 1}, POST /things-${ready + 2} and ${(3_997 - ready).toLocaleString('en-US')} other operations`,
    reason: 'getting them ready would have taken too much of --max-time: give more time',
  });
});

test('says how many operations remain if a suite has nothing to try on them', () => {
  const suite: Suite = {
    id: 'empty',
    title: 'Empty',
    plan: () => ({ kind: 'not-applicable', reason: 'the document declares nothing of it' }),
  };
  const get = { responses: { 200: { description: 'Found' } } };
  const { operations, ...rest } = contractOf({ paths: { '/a': { get }, '/b': { get } } });
  const target = { contract: { ...rest, operations }, send: () => Promise.reject(new Error('sent')) };
  const plan = (suites: readonly Suite[], excluded = operations.slice(1)) =>
    planSuites(suites, target, { excluded });
  expect(() => plan([suite])).toThrow(
    ': 1 of 2 operations remain, and the suite empty has nothing to try on them. Leave out fewer operations, or run other suites.',
  );
  expect(() => plan([suite, suite])).toThrow('and no suite has anything to try on them. ');
  expect(() => plan([suite], [])).toThrow(': the suite empty has nothing to try on it. Name a document');
});
