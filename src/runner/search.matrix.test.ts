import { expect, test } from 'vitest';
import { judgeService } from '../../fixtures/judge-service.ts';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';
import type { RunFinding, RunResult } from '../events/events.ts';
import type { Suite } from './suite.ts';
import { invalidBodies } from '../../suites/invalid-bodies.ts';
import { malformedBodies } from '../../suites/malformed-bodies.ts';
import { repeatedKeys } from '../../suites/repeated-keys.ts';
import { traces } from '../../suites/traces.ts';
import { validBodies } from '../../suites/valid-bodies.ts';

const { faulty } = await loadCatalogue();

/** Runs one suite on a faulty service of the catalogue, or one case of it. */
async function run(id: string, suite: Suite, replay: { seed: number; path?: string }): Promise<RunResult> {
  const service = faulty.find((candidate) => candidate.id === id);
  if (service === undefined) throw new Error(`no service is called ${id}`);
  return judgeService({ service, suites: [suite], connections: 1, ...replay });
}

/** The bodies of the requests of a finding, a drawn key as N. */
function show({ requests }: RunFinding): string {
  return requests
    .map(({ body }) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(body))
    .map((body) => body.replace(/("id":"?)-?\d{4,}/u, '$1N'))
    .join(' then ');
}

test.each([
  ['tag-null-for-absent', validBodies, 'response-schema', '{"name":"a","id":N}'],
  ['500-on-non-ascii', validBodies, 'server-error', '{"name":"é","id":N}'],
  ['500-on-nul', validBodies, 'server-error', String.raw`{"name":"\u0000","id":N}`],
  ['500-on-empty-name', validBodies, 'server-error', '{"name":"","id":N}'],
  ['name-trimmed', validBodies, 'echo', '{"name":" ","id":N}'],
  ['tag-echoes-name', validBodies, 'echo', '{"name":"a","id":N,"tag":"n"}'],
  // A key that is written out is not sent twice.
  ['500-on-zero-id', validBodies, 'server-error', '{"name":"a","id":0}'],
  // The finding is one of a body that is unusual in its id, so that the name has to be a usual one.
  ['500-on-large-id', validBodies, 'server-error', '{"name":"a","id":N}'],
  ['name-optional', invalidBodies, 'invalid-body-accepted', '{"id":N}'],
  ['id-optional', invalidBodies, 'invalid-body-accepted', '{"name":"a"}'],
  ['null-name-accepted', invalidBodies, 'invalid-body-accepted', '{"name":null,"id":N}'],
  ['number-name-accepted', invalidBodies, 'invalid-body-accepted', '{"name":1,"id":N}'],
  ['tag-any-type', invalidBodies, 'invalid-body-accepted', '{"name":"a","id":N,"tag":1}'],
  ['string-id-coerced', invalidBodies, 'invalid-body-accepted', '{"name":"a","id":"N"}'],
  ['fraction-truncated', invalidBodies, 'invalid-body-accepted', '{"name":"a","id":N.5}'],
  ['array-accepted', invalidBodies, 'invalid-body-accepted', '[{"name":"a","id":N}]'],
  ['500-on-malformed-json', malformedBodies, 'server-error', '{'],
  ['truncated-json-accepted', malformedBodies, 'malformed-body-accepted', '{"name":"a","id":N'],
  ['500-on-second-same-id', repeatedKeys, 'server-error', '{"name":"a","id":N} then {"name":"aaa","id":N}'],
  [
    // One of three requests shows it.
    'any-token',
    traces,
    'credentials-ignored',
    '{"name":"a","id":N}',
  ],
  [
    'auth-after-create',
    traces,
    'refused-leaves-trace',
    '{"name":"a","id":N} then {"name":"aaa","id":N} then {"name":"aaa","id":N}',
  ],
  [
    'refused-id-stays-taken',
    traces,
    'refused-leaves-trace',
    '{"id":N} then {"name":"aaa","id":N} then {"name":"aaa","id":N}',
  ],
] as const)('shows %s with the smallest request, and replays it', async (id, suite, check, expected) => {
  const { seed, findings } = await run(id, suite, { seed: 1 });
  const found = findings.find(({ finding }) => finding.check === check);
  expect(found && show(found)).toBe(expected);
  const again = await run(id, suite, { seed, path: found?.replay.path ?? '' });
  expect(again.findings.map((one) => [one.finding.check, one.replay.path, show(one)])).toContainEqual([
    check,
    found?.replay.path,
    expected,
  ]);
});

test('makes a random case as small as an example', async () => {
  const random: Suite = {
    ...validBodies,
    plan: (input) => {
      const plan = validBodies.plan(input);
      return plan.kind === 'properties'
        ? { ...plan, properties: plan.properties.map((property) => ({ ...property, examples: [] })) }
        : plan;
    },
  };
  const { findings } = await run('500-on-non-ascii', random, { seed: 7 });
  const shown = findings.filter(({ finding }) => finding.check === 'server-error').map(show);
  expect(shown).toContainEqual(expect.stringMatching(/^\{"name":"[^\p{ASCII}]","id":N\}$/u));
});
