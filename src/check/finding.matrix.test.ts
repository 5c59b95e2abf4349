import { expect, test } from 'vitest';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { judgeService } from '../../fixtures/judge-service.ts';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';

const { faulty } = await loadCatalogue();

/** Faults of different kinds; several of them show in requests that hold more than the one thing. */
const chosen = [
  '500-on-apostrophe',
  '500-on-null-tag',
  '500-on-second-same-id',
  'any-scheme',
  'content-length-too-long',
  'html-for-malformed-json',
  'name-trimmed',
  'null-name-accepted',
  'twins-merged',
];

/** The ids of what is found on a service that was just started. */
async function findIds(service: (typeof faulty)[number], seed: number): Promise<readonly string[]> {
  const keys = [seed * 100_000, seed * 100_000 + 1_000_000] as const;
  const { findings } = await judgeService({ service, seed, keys, runs: 25 });
  return findings.map(({ id }) => id).toSorted();
}

test.each(
  drawCases(
    faulty.filter(({ id }) => chosen.includes(id)),
    3,
  ),
)(
  'what is found on a service that $title has the same ids for every seed and all keys ($id)',
  async (service) => {
    const first = await findIds(service, 1);
    expect(first.length).toBeGreaterThan(0);
    expect(await findIds(service, 2)).toEqual(first);
  },
);

test('every service chosen is in the catalogue', () => {
  expect(chosen.filter((id) => !faulty.some((service) => service.id === id))).toEqual([]);
});
