import { afterAll, describe, expect, test } from 'vitest';
import { drawCases, runsAllCases } from '../fixtures/draw-cases.ts';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { judgeCollection } from '../fixtures/judge-collection.ts';
import { loadCollections } from '../fixtures/services/collections/catalogue.js';
import type { CollectionService, HonestEntry } from '../fixtures/services/collections/service.ts';
import { allSuites } from './all-suites.ts';

const { correct, honest } = await loadCollections();
const all = drawCases([...correct, ...honest], 3);

// The other suites are left to `npm run test:seeds`.
const suites = allSuites.filter(({ id }) => runsAllCases || id === 'life-cycles');
/** Cases of each property. */
const runs = runsAllCases ? 20 : 5;

const clean: string[] = [];

async function accuse(service: CollectionService<HonestEntry>): Promise<readonly string[]> {
  const { warned = {} } = service.entry;
  const result = await judgeCollection(service, { suites, runs });
  return describeFindings(result, ['violation', 'warning']).filter(
    (line) => !Object.keys(warned).some((check) => line.startsWith(`warning ${check} `)),
  );
}

// What takes its time waits more than it works, so several are judged at once.
describe.concurrent('side by side', () => {
  test.each(all.filter(({ entry }) => entry.notYet === undefined))(
    'nothing is held against a service that $title ($id)',
    async (service) => {
      expect(await accuse(service)).toEqual([]);
      clean.push(service.id);
    },
  );

  // One that nothing is held against after all has to say so in its table.
  test.each(all.filter(({ entry }) => entry.notYet !== undefined))(
    'something is still held against a service that $title ($id)',
    async (service) => {
      expect(await accuse(service)).not.toEqual([]);
    },
  );
});

afterAll(() => {
  process.stdout.write(
    `\n${clean.length} of ${all.length} honest services of collections accused of nothing\n`,
  );
});
