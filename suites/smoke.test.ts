import { expect, test } from 'vitest';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { judgeService } from '../fixtures/judge-service.ts';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import { loadCatalogue } from '../fixtures/services/catalogue.js';
import type { Service } from '../fixtures/services/service.ts';
import { checkIds } from '../src/check/finding.ts';
import { statefulChecks } from '../src/check/stateful/stateful-checks.ts';
import { loadContract } from '../src/contract/load.ts';
import type { RunResult } from '../src/events/events.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { createPolicy, type Policy } from '../src/policy/policy.ts';
import { allSuites } from './all-suites.ts';

// What `npm run test:matrix` tries on every service, document and policy, on a few of them.

const { correct, faulty, warned, conforming } = await loadCatalogue();
const services = [correct, ...faulty, ...warned, ...conforming];

function serviceOf(id: string): Service {
  const service = services.find((each) => each.id === id);
  if (service === undefined) throw new Error(`There is no service ${id}.`);
  return service;
}

/** A service for each check, with the suite that finds what it does. */
const shown = [
  ['undeclared-status', '401-for-malformed', 'framing'],
  ['server-error', '500-on-apostrophe', 'valid-bodies'],
  ['echo', 'accents-stripped', 'valid-bodies'],
  ['credentials-ignored', 'any-scheme', 'traces'],
  ['response-json', 'byte-order-mark-answered', 'valid-bodies'],
  ['response-media-type', 'answer-empty', 'valid-bodies'],
  ['response-schema', 'answer-in-pascal-case', 'valid-bodies'],
  ['cross-talk', 'name-stale', 'valid-bodies'],
  ['invalid-body-accepted', 'array-accepted', 'invalid-bodies'],
  ['refused-leaves-trace', 'auth-after-create', 'traces'],
  ['chunked-content', 'chunks-malformed', 'framing'],
  ['bodiless-status', 'content-after-head', 'framing'],
  ['content-length', 'content-length-too-long', 'framing'],
  ['connection-dropped', 'drop-on-malformed-json', 'framing'],
  ['malformed-body-accepted', 'empty-body-accepted', 'malformed-bodies'],
  ['equal-requests', 'refused-after-duplicate', 'sequences'],
  ['timed-out', 'hang-on-duplicate', 'repeated-keys'],
  ['twin-keys', 'ids-through-int32', 'twin-keys'],
  ['not-http', 'name-in-header', 'valid-bodies'],
  ['never-succeeds', 'refuses-everything', 'valid-bodies'],
  ['bytes-after-answer', 'second-answer', 'framing'],
  ['status-range', 'status-099', 'framing'],
  ['www-authenticate', '401-without-www-authenticate', 'traces'],
  ['allow', '405-without-allow', 'framing'],
  ['media-type-spelling', 'charset-refused', 'media-types'],
  ['undeclared-constraint', 'chunks-unread', 'valid-bodies'],
  ['race', 'created-twice-in-a-race', 'concurrency'],
  ['int64-range', 'ids-past-int64-taken', 'valid-bodies'],
  ['forgotten-key', 'refusal-frees-id', 'sequences'],
  ['transfer-encoding', 'length-beside-chunks', 'framing'],
  ['response-size', 'long-answer-to-empty-tag', 'valid-bodies'],
  ['credential-spelling', 'scheme-case-sensitive', 'credentials'],
] as const;

/** Checks that no run of few cases on a service of the fixtures shows, and the tests that show them. */
const shownElsewhere = [
  // suites/kill-matrix.matrix.test.ts, which looks at every service
  'media-type-accepted',
  // src/check/judge.test.ts
  'response-header',
  'invalid-parameter-accepted',
  // src/cli/callbacks-port.e2e.test.ts
  'callback-schema',
  // src/cli/max-response-time.e2e.test.ts
  'too-slow',
  // below, by a mock that was told otherwise
  'duplicate-key',
  'left-open',
  'drift',
  // suites/parity.matrix.test.ts
  'parity',
  // src/check/stateful/life-cycle-checks.test.ts
  ...Object.values(statefulChecks).map(({ id }) => id),
];

test('every check is shown by a service here, or elsewhere', () => {
  const ids = [...shown.map(([check]) => check), ...shownElsewhere];
  expect(checkIds.toSorted()).toEqual(ids.toSorted());
});

test.each(shown)('%s is found on %s by %s', async (check, id, suite) => {
  const suites = allSuites.filter((each) => each.id === suite);
  const patience = check === 'timed-out' ? { timeoutMs: 1_000 } : {};
  const { findings } = await judgeService({ service: serviceOf(id), suites, runs: 20, ...patience });
  expect(findings.map(({ finding }) => finding.check)).toContain(check);
});

test.each([
  'plant-store-service',
  'path-prefix',
  'charset-utf-8',
  'chunked-answer',
  'pretty-printed',
  'duplicate-409',
  'credentials-401-empty',
  'more-in-error',
])('no violation on %s', async (id) => {
  const result = await judgeService({ service: serviceOf(id), runs: 4 });
  expect(describeFindings(result, ['violation'])).toEqual([]);
});

const policies: readonly Partial<Policy>[] = [
  { 'duplicate-key': 'conflict', echo: 'none' },
  { 'auth-order': 'after', 'unsupported-media-type': 'read', 'int64-range': 'accept' },
  { 'duplicate-key': 'replace', 'undeclared-properties': 'refuse', 'integer-notation': 'no' },
  { 'unique-properties': ['name'], 'response-extras': 'id', 'duplicate-keys-in-json': 'first' },
];

async function runUnder(answers: Partial<Policy>, enforced: Partial<Policy>): Promise<RunResult> {
  const contract = await loadContract(undefined, { followReferences: false });
  const policy = { 'accepted-tokens': 'listed', ...answers } as const;
  const mock = await createMock(contract, { policy, tokens: [mockToken] });
  return runOnMock({ mock, runs: 4, policy: createPolicy({ ...policy, ...enforced }) });
}

test.each(policies)('a mock under %j holds what it says', async (answers) => {
  expect(describeFindings(await runUnder(answers, {}), ['violation'])).toEqual([]);
});

test('a mock that answers otherwise than it was said to has drifted', async () => {
  const { findings } = await runUnder({ 'duplicate-key': 'replace' }, { 'duplicate-key': 'conflict' });
  expect(findings.map(({ finding }) => finding.check)).toContain('drift');
});
