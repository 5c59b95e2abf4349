import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeRun } from '../../fixtures/describe-run.ts';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import type { RunResult, Shard } from '../events/events.ts';
import type { Send } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';
import { mergeRuns } from './merge-runs.ts';
import { invalidBodies } from '../../suites/invalid-bodies.ts';
import { lifeCycles } from '../../suites/life-cycles.ts';
import { samples } from '../../suites/samples.ts';
import { validBodies } from '../../suites/valid-bodies.ts';

const suites = [validBodies, invalidBodies, samples, lifeCycles];

/**
 * Runs the suites, or one shard, on a mock of its own: a service that fails on long texts and on readers with further
 * properties, and hides what it made.
 */
async function run(document: string, shard?: Shard): Promise<RunResult> {
  const mock = await createMock(document, { tokens: [mockToken] });
  const send: Send = (request, options) =>
    (request.body?.length ?? 0) > 300 ||
    (request.target === '/readers' && new TextDecoder().decode(request.body).includes('"extra"'))
      ? Promise.resolve({ kind: 'response', response: { status: 500, headers: [], body: new Uint8Array() } })
      : mock.send(request.method === 'DELETE' ? { ...request, method: 'GET' } : request, options);
  return runOnMock({ mock, send, suites, runs: 3, ...(shard && { shard }) });
}

async function runShards(document: string, total: number): Promise<RunResult> {
  const shards: RunResult[] = [];
  for (let index = 1; index <= total; index += 1) shards.push(await run(document, { index, total }));
  const [first, ...others] = shards;
  if (first === undefined) throw new Error('There is no shard.');
  return mergeRuns([first, ...others], {
    baseline: undefined,
    hasConnection: false,
    isWhole: true,
    untested: [],
  });
}

const document = 'fixtures/documents/two-creates.yaml';
const whole = run(document);

test('finds and covers in any number of shards what the whole run does', async () => {
  const expected = describeRun(await whole);
  expect(expected.findings.length).toBeGreaterThan(1);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), async (total) => {
      expect(describeRun(await runShards(document, total))).toEqual(expected);
    }),
    { numRuns: 3 },
  );
});

const merge = (...shards: readonly [RunResult, ...RunResult[]]): RunResult =>
  mergeRuns(shards, { baseline: undefined, hasConnection: false, isWhole: true, untested: [] });

test('reports that nothing is accepted only if no shard accepts anything', async () => {
  const result = await whole;
  const [found] = result.findings;
  if (found === undefined) throw new Error('The run has no finding.');
  const never = { ...found, id: 'never', finding: { ...found.finding, check: 'never-succeeds' as const } };
  const shard = { ...result, findings: [never] };
  expect(merge(shard, shard).findings.map(({ id }) => id)).toEqual(['never']);
  expect(merge(shard, { ...result, findings: [] }).findings).toEqual([]);
});

test('looks for the entries of a baseline in all shards together', async () => {
  const result = await whole;
  const [found, other] = result.findings;
  if (found === undefined || other === undefined) throw new Error('The run has too few findings.');
  const baseline = {
    entries: [{ id: found.id }, { id: 'echo-000000000000' }],
    today: '2026-11-26',
    partly: undefined,
  };
  const shards = [
    { ...result, findings: [found] },
    { ...result, findings: [other] },
  ] as const;
  const merged = mergeRuns(shards, { baseline, hasConnection: false, isWhole: true, untested: [] });
  expect(merged.findings.flatMap(({ known }) => known?.id ?? [])).toEqual([found.id]);
  expect(merged.gone).toEqual([{ id: 'echo-000000000000' }]);
  const brokenOff = mergeRuns(shards, { baseline, hasConnection: false, isWhole: false, untested: [] });
  expect(brokenOff.gone).toEqual([]);
});

test('adds up what shards left behind, and reports once what concerns the whole run', async () => {
  const result = await whole;
  const reason = (count: number): string => `up to ${count} items in /plants (no operation deletes them)`;
  const leave = (count: number): RunResult => ({
    ...result,
    notChecked: [
      { what: 'framing', reason: 'no connection' },
      { what: 'Left behind', reason: reason(count), isLeftBehind: true },
    ],
  });
  expect(merge(leave(2), leave(40)).notChecked).toEqual([
    { what: 'framing', reason: 'no connection' },
    { what: 'Left behind', reason: reason(42), isLeftBehind: true },
  ]);
});
