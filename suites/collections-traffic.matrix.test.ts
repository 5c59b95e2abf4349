import { expect, test } from 'vitest';
import { drawCases, runsAllCases } from '../fixtures/draw-cases.ts';
import { judgeCollectionTraffic } from '../fixtures/judge-collection-traffic.ts';
import { contractOfCollection } from '../fixtures/judge-collection.ts';
import { loadCollections } from '../fixtures/services/collections/catalogue.js';
import { followScript } from '../fixtures/services/collections/script.ts';
import type { CollectionService } from '../fixtures/services/collections/service.ts';
import type { TrafficResult } from '../src/events/events.ts';
import { runSuites } from '../src/runner/run.ts';
import { openUrlTarget } from '../src/session/url-target.ts';
import { allSuites } from './all-suites.ts';

const { correct, faulty, honest } = await loadCollections();
// A few are tried with the stateful scenarios alone, and all of them with all suites by `npm run test:seeds`.
const tried = drawCases([...correct, ...honest], 24);
const suites = allSuites.filter(({ id }) => runsAllCases || id === 'life-cycles');

/** A client that does a little of everything, one request after the other. */
const talk = (service: CollectionService) => (baseUrl: string) =>
  followScript(service.entry.api, baseUrl, async (_sent, answer) => void (await answer.arrayBuffer()));

/** A client that runs the suites. */
async function runThrough(service: CollectionService, baseUrl: string, seed: number): Promise<void> {
  const contract = contractOfCollection(service);
  const target = await openUrlTarget({ contract, baseUrl, token: 't', timeoutMs: 30_000, answers: {} });
  const keys = [1_000_000 * seed, 1_000_000 * seed + 900_000] as const;
  await runSuites(suites, target, { seed, runs: 2, keys, signal: new AbortController().signal });
  await target.close();
}

function nameFindings({ findings }: TrafficResult): readonly string[] {
  return findings.map(({ finding: { level, check } }) => `${level} ${check}`);
}

/** What was found besides the warnings that are due. */
const withoutDue = (found: readonly string[], { entry: { warned = {} } }: (typeof tried)[number]) =>
  found.filter((line) => !Object.keys(warned).some((check) => line === `warning ${check}`));

test.concurrent.each(tried)(
  'the traffic of one client, and of two at once, accuses no service that $title ($id)',
  async (service) => {
    const alone = await judgeCollectionTraffic(service, talk(service));
    expect(withoutDue(nameFindings(alone), service)).toEqual([]);
    const both = await judgeCollectionTraffic(service, (baseUrl) =>
      Promise.all([runThrough(service, baseUrl, 1), runThrough(service, baseUrl, 2)]),
    );
    expect(withoutDue(nameFindings(both), service)).toEqual([]);
  },
);

const shown: readonly (readonly [id: string, found: string])[] = [
  ['limit-ignored', 'violation limit-ignored'],
  ['filter-ignored', 'violation filter-ignored'],
  ['password-in-list', 'violation write-only-shown'],
  ['location-of-one-before', 'violation location'],
  ['location-is-collection', 'violation location'],
  ['created-at-of-client', 'warning read-only-written'],
  ['delete-does-nothing', 'warning deleted-still-there'],
  ['put-keeps-note', 'warning replace-is-partial'],
  ['patch-keeps-null', 'warning merge-patch'],
  ['if-match-ignored', 'warning precondition-ignored'],
  ['put-changes-same-name', 'warning spill'],
  ['id-always-one', 'warning lost-identity'],
  ['list-lacks-newest', 'warning list-lacks'],
  ['list-repeats-last', 'warning list-repeats'],
  ['offset-ignored', 'warning page-overlap'],
  ['cursor-skips-one', 'warning page-gap'],
  ['task-read-under-any-project', 'warning parent-ignored'],
  ['head-is-not-found', 'warning head-differs'],
  ['head-deletes', 'warning safe-method-changes'],
  ['name-cut-in-store', 'warning read-after-write'],
  ['lost-without-note', 'warning created-not-found'],
];

test.each(drawCases(shown, 3))('the traffic of one client shows %s: %s', async (id, found) => {
  const service = faulty.find((each) => each.id === id);
  if (service === undefined) throw new Error(`there is no service ${id}`);
  expect(nameFindings(await judgeCollectionTraffic(service, talk(service)))).toContain(found);
});
