import { expect, test } from 'vitest';
import { type Bracket, findLimit, type Verdict } from './find-limit.ts';

/** Searches with a probe that decides at once, and counts the probes. */
async function search(bracket: Bracket, verdictOf: (number: bigint) => Verdict) {
  let probes = 0;
  const found = await findLimit(bracket, (number) => {
    probes += 1;
    return Promise.resolve(verdictOf(number));
  });
  return { found, probes };
}

const upTo =
  (limit: bigint) =>
  (number: bigint): Verdict =>
    number <= limit ? 'accepted' : 'refused';

test.each([0n, 1n, 7n, 254n, 255n, 256n, 1_024n, 12_345n, 65_535n])('finds the maximum %s', async (limit) => {
  const { found } = await search({ accepted: 0n, refused: 65_536n }, upTo(limit));
  expect(found).toEqual({ accepted: limit, refused: limit + 1n });
});

test.each([0n, 1n, 3n, 11n])('finds the minimum %s', async (limit) => {
  const isRefused = (number: bigint): Verdict => (number < limit ? 'refused' : 'accepted');
  const { found } = await search({ accepted: 12n, refused: -1n }, isRefused);
  expect(found).toEqual({ accepted: limit, refused: limit - 1n });
});

test.each([255n, 2_147_483_647n, 9_007_199_254_740_991n])(
  'finds the notable maximum %s in few probes',
  async (limit) => {
    const { probes } = await search({ accepted: 1n, refused: 2n ** 63n - 1n }, upTo(limit));
    expect(probes).toBeLessThan(12);
  },
);

test.each([
  ['the upper end is accepted', (): Verdict => 'accepted'],
  ['the lower end is refused', (): Verdict => 'refused'],
  [
    'a probe is neither accepted nor refused',
    (number: bigint): Verdict => (number === 0n ? 'accepted' : number === 65_536n ? 'refused' : 'other'),
  ],
])('finds no limit if %s', async (_condition, verdictOf) => {
  expect((await search({ accepted: 0n, refused: 65_536n }, verdictOf)).found).toBeUndefined();
});
