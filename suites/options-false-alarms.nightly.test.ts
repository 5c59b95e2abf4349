import { afterAll, describe, expect, test } from 'vitest';
import { contractOfCollection } from '../fixtures/judge-collection.ts';
import { harmlessOptions, judgeWithOption } from '../fixtures/run-options.ts';
import { loadCatalogue } from '../fixtures/services/catalogue.js';
import { loadCollections } from '../fixtures/services/collections/catalogue.js';
import { loadContract } from '../src/contract/load.ts';
import { allSuites } from './all-suites.ts';

const seed = Number(process.env['CLOCHE_TEST_SEED'] ?? 1);
const collections = await loadCollections();
const { correct, conforming } = await loadCatalogue();
const plantStore = await loadContract(undefined, { followReferences: false });
const few = ['life-cycles', 'parameters'];
const fewSuites = allSuites.filter(({ id }) => few.includes(id));
const tally = { judged: 0, leftOut: 0 };

/** Draws some options for each service. Another seed draws others. */
function draw<Drawn extends { readonly id: string }>(services: readonly Drawn[], options: number) {
  return services.flatMap((service, index) =>
    Array.from({ length: options }, (_, nth) => {
      const at = (7 * index + 11 * nth + 5 * seed) % harmlessOptions.length;
      return { service, option: harmlessOptions[at], title: `${service.id}, ${harmlessOptions[at]?.id}` };
    }),
  );
}

function count(found: readonly string[] | undefined): readonly string[] {
  tally[found === undefined ? 'leftOut' : 'judged'] += 1;
  return found ?? [];
}

// Runs wait more than they work, so several services are judged at once.
describe.concurrent('side by side', () => {
  const honest = [...collections.correct, ...collections.honest];
  test.each(
    draw(
      honest.filter(({ entry }) => entry.notYet === undefined),
      1,
    ),
  )('nothing is reported about $title', { timeout: 300_000 }, async ({ service, option }) => {
    const contract = contractOfCollection(service);
    const found =
      option && (await judgeWithOption(option, { service, contract, seed, suites: fewSuites, runs: 3 }));
    const warned = Object.keys(service.entry.warned ?? {});
    const extra = count(found).filter(
      (line) => !warned.some((check) => line.startsWith(`warning ${check} `)),
    );
    expect(extra).toEqual([]);
  });

  // Others come with another seed.
  const some = conforming.filter((_, index) => index % 4 === seed % 4);
  test.each(draw(some, 1))(
    'no violation is reported about $title',
    { timeout: 300_000 },
    async ({ service, option }) => {
      const input = { service, contract: plantStore, seed, runs: 10 };
      const found = count(option && (await judgeWithOption(option, input)));
      expect(found.filter((line) => line.startsWith('violation '))).toEqual([]);
    },
  );

  test.each(harmlessOptions)(
    'nothing is reported about the correct service, $id',
    { timeout: 300_000 },
    async (option) => {
      const found = await judgeWithOption(option, { service: correct, contract: plantStore, seed, runs: 10 });
      expect(count(found)).toEqual([]);
    },
  );
});

afterAll(() => {
  process.stdout.write(`\n${tally.judged} runs with an option, ${tally.leftOut} that left nothing to test\n`);
});
