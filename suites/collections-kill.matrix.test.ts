import { afterAll, describe, expect, test } from 'vitest';
import { drawCases, runsAllCases } from '../fixtures/draw-cases.ts';
import { judgeCollection } from '../fixtures/judge-collection.ts';
import type { FindingCost } from '../fixtures/judge-service.ts';
import { loadCollections } from '../fixtures/services/collections/catalogue.js';
import type { CollectionService, FaultyEntry } from '../fixtures/services/collections/service.ts';
import type { Finding } from '../src/check/finding.ts';
import { statefulChecks } from '../src/check/stateful/stateful-checks.ts';
import { allSuites } from './all-suites.ts';

const { faulty, tosem } = await loadCollections();
// Every twelfth is tried at once, and all of them by `npm run test:seeds`.
const all = [...tosem, ...drawCases(faulty, 12)];
const known = all.filter(({ entry }) => entry.notYet === undefined);
const notYet = all.filter(({ entry }) => runsAllCases && entry.notYet !== undefined);

const lifeCycles = allSuites.filter(({ id }) => id === 'life-cycles');
/** What shows most of these faults comes first. */
const lifeCyclesFirst = [...lifeCycles, ...allSuites.filter((suite) => !lifeCycles.includes(suite))];
/** What the life cycles have no check for is left to the others. */
const ofLifeCycles = new Set<string>(Object.values(statefulChecks).map(({ id }) => id));
const suitesFor = ({ entry }: CollectionService<FaultyEntry>) =>
  ofLifeCycles.has(entry.expects) ? lifeCycles : lifeCyclesFirst;
/** Cases of each property. */
const runs = 40;

const kills: string[] = [];
const costs: FindingCost[] = [];

function describeFinding({ check, level, operation, expected, received, cause, trigger }: Finding): string {
  return `${level} ${check} of ${operation}: expected ${expected}; received ${received}; cause ${cause}; trigger ${trigger ?? 'none'}`;
}

function isOfFault({ entry }: CollectionService<FaultyEntry>, finding: Finding): boolean {
  const { expects, level = 'violation', where = '' } = entry;
  return finding.check === expects && finding.level === level && describeFinding(finding).includes(where);
}

// What takes its time waits more than it works, so several are judged at once.
describe.concurrent('side by side', () => {
  test.each(known)('$title is found by $entry.expects ($id)', async (service) => {
    const own: Finding[] = [];
    const others: Finding[] = [];
    const isSought = (finding: Finding, cost: FindingCost): boolean => {
      if (!isOfFault(service, finding)) {
        if (finding.level === 'violation') others.push(finding);
        return false;
      }
      own.push(finding);
      if (own.length === 1) {
        costs.push(cost);
        const took = `${String(cost.requests).padStart(5)} ${cost.ms.toFixed(0).padStart(6)} ms`;
        kills.push(`${service.id.padEnd(36)} ${finding.check.padEnd(22)} ${took}`);
      }
      return true;
    };
    await judgeCollection(service, { suites: suitesFor(service), runs, isSought });
    const wrong = others.filter(({ check }) => service.entry.also?.[check] === undefined);
    expect({ found: own.length > 0, wrong: wrong.map(describeFinding) }).toEqual({ found: true, wrong: [] });
  });

  // One that is found after all has to say so in its table.
  test.each(notYet)('$title is not found yet by $entry.expects ($id)', async (service) => {
    const found: Finding[] = [];
    const isSought = (finding: Finding): boolean => {
      const isFound = isOfFault(service, finding);
      if (isFound) found.push(finding);
      return isFound;
    };
    // A run of no suite is refused.
    if (lifeCycles.length > 0) await judgeCollection(service, { suites: lifeCycles, runs: 10, isSought });
    expect(found.map(describeFinding)).toEqual([]);
  });
});

afterAll(() => {
  const requests = costs.map((cost) => cost.requests).toSorted((left, right) => left - right);
  const lines = [
    '',
    `Seed ${process.env['CLOCHE_TEST_SEED'] ?? 1}. Fault of collections, the check that found it, requests, time:`,
    ...kills.toSorted(),
    `Median: ${requests[requests.length >> 1] ?? 0} requests. Worst: ${requests.at(-1) ?? 0}.`,
    `${kills.length} of ${all.length} faults of collections found by their own checks, ${notYet.length} not yet`,
    '',
  ];
  process.stdout.write(lines.join('\n'));
});
