import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsAllCases } from '../../fixtures/draw-cases.ts';
import { contractOfCollection } from '../../fixtures/judge-collection.ts';
import { describeRun } from '../../fixtures/describe-run.ts';
import { judgeService } from '../../fixtures/judge-service.ts';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';
import { loadCollections } from '../../fixtures/services/collections/catalogue.js';
import type { RunResult } from '../events/events.ts';
import { mergeRuns } from './merge-runs.ts';

const { faulty, warned, constrained, conforming } = await loadCatalogue();
const collections = await loadCollections();
/**
 * Services whose faults depend on what other requests did before, so that no two runs find the same: how many there were,
 * or which names they gave to items whose ids are made of them.
 */
const byChance = new Set(['every-third-refused', 'every-tenth-fails', '500-on-17th-create', 'ids-by-name']);
const services = [
  ...[...faulty, ...warned, ...constrained, ...conforming].map((service) => ({ service, more: {} })),
  ...[...collections.faulty, ...collections.tosem].map((service) => ({
    service,
    more: { contract: contractOfCollection(service) },
  })),
].filter(({ service: { id } }) => !byChance.has(id));

test('finds and covers in the shards of a run what the whole run does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...services),
      fc.integer({ min: 1, max: 6 }),
      async ({ service, more }, total) => {
        const run = { service, runs: 20, timeoutMs: 2_000, ...more };
        const whole = await judgeService(run);
        const shards: RunResult[] = [];
        for (let index = 1; index <= total; index += 1) {
          shards.push(await judgeService({ ...run, shard: { index, total } }));
        }
        const [first = whole, ...others] = shards;
        const merged = mergeRuns([first, ...others], {
          baseline: undefined,
          hasConnection: true,
          isWhole: true,
          untested: [],
        });
        expect(describeRun(merged)).toEqual(describeRun(whole));
      },
    ),
    {
      numRuns: runsAllCases ? 24 : 2,
      seed: Number(process.env['CLOCHE_TEST_SEED'] ?? 1),
      endOnFailure: true,
    },
  );
});
