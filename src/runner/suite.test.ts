import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import {
  createMock,
  loadContract,
  openUrlTarget,
  type Property,
  type RunEvent,
  runSuites,
  type Suite,
} from '../index.ts';

const contract = await loadContract(undefined, { followReferences: false });
const closer = createCloser();

afterEach(() => closer.closeAll());

/** What somebody else writes, who has the exported types alone: its cases are texts. */
const names: Property<string> = {
  id: 'names',
  title: 'A plant of any name is taken',
  examples: ['fern'],
  arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 9 }),
  *simplify(name) {
    if (name.length > 3) yield name.slice(1);
  },
  async run(name, session) {
    const [create] = session.contract.operations;
    const request = {
      operationId: create?.id,
      method: 'POST',
      target: create?.path.template ?? '',
      headers: [['Content-Type', 'application/json']],
      credentials: { kind: 'good' },
      body: ['{"id":', { slot: 0, class: 'plain', variant: 'itself' }, `,"name":${JSON.stringify(name)}}`],
      framing: 'content-length',
    } as const;
    return [await session.send(request, session.openIdContext())];
  },
  traceChecks: [],
};

const tried: number[] = [];

/** One whose cases are of another type, written where it is used. */
const own: Suite = {
  id: 'own',
  title: 'Suites of our own',
  plan: () => ({
    kind: 'properties',
    properties: [
      names,
      {
        id: 'numbers',
        title: 'A number is what it is',
        examples: [1, 2],
        arbitrary: fc.integer(),
        run(number: number) {
          tried.push(number);
          return Promise.resolve([]);
        },
        traceChecks: [],
      },
    ],
  }),
};

test('runs a suite of somebody else on a target alone, with what is usual for the rest', async () => {
  const mock = await createMock(contract, { tokens: ['secret'] });
  closer.closeLater(() => mock.close());
  const { url } = await mock.listen();
  const target = await openUrlTarget({ contract, baseUrl: url, token: 'secret' });
  closer.closeLater(() => target.close());
  const result = await runSuites([own], target);
  const [from, to] = result.keys;
  expect(result.findings).toEqual([]);
  expect(result.properties.toSorted((left, right) => left.requests - right.requests)).toMatchObject([
    { suite: 'own', property: 'numbers', cases: 100, requests: 0, verdict: 'held' },
    { suite: 'own', property: 'names', cases: 100, requests: 100, verdict: 'held' },
  ]);
  expect(from).toBeGreaterThan(0);
  expect(to - from).toBe(999_999);
  expect(to).toBeLessThan(2 ** 31);
});

test('a contract and a function that answers are enough of a target', async () => {
  const events: RunEvent['kind'][] = [];
  const mock = await createMock(contract, { tokens: ['secret'] });
  closer.closeLater(() => mock.close());
  const target = { contract, send: mock.send, token: 'secret' };
  const emit = ({ kind }: RunEvent): number => events.push(kind);
  const result = await runSuites([own], target, { seed: 3, runs: 2, path: undefined, emit });
  expect(result).toMatchObject({ seed: 3, findings: [], requests: 3 });
  expect(events[0]).toBe('run-started');
  expect(events.at(-1)).toBe('run-finished');
});

test('a mock is a target, and needs a token beside it where its document asks for one', async () => {
  const mock = await createMock(contract, { tokens: ['secret'] });
  closer.closeLater(() => mock.close());
  await expect(runSuites([own], mock)).rejects.toThrow('its document asks for credentials');
});
