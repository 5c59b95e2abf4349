import { expect, test } from 'vitest';
import type { Bracket, Verdict } from './find-limit.ts';
import { findValueBound } from './number-limits.ts';

interface Range {
  readonly from: bigint;
  readonly to: bigint;
  /** Keys that exist, so that they are refused as well. */
  readonly existing?: readonly bigint[];
  readonly isVague?: boolean;
}

/** Searches a service that takes the numbers of a range, and counts what it takes. */
async function search(bracket: Bracket, { from, to, existing = [], isVague = false }: Range) {
  const tried = new Set<bigint>();
  let draws = 0n;
  const found = await findValueBound({
    bracket,
    isVague,
    probe(number): Promise<Verdict> {
      tried.add(number);
      return Promise.resolve(
        number >= from && number <= to && !existing.includes(number) ? 'accepted' : 'refused',
      );
    },
    draw({ accepted, refused }) {
      draws += 1n;
      const [low, high] = accepted < refused ? [accepted, refused] : [refused, accepted];
      return high - low < 2n ? high : low + 1n + ((draws * 7_919n) % (high - low - 1n));
    },
  });
  return { found, tries: tried.size };
}

const max = 2n ** 63n - 1n;

test.each([
  [2n ** 31n - 1n, 'the end of 32 bits'],
  [2n ** 53n - 1n, 'the last integer of a double'],
  [2n ** 53n, 'two to the power of 53'],
  [9_007_199_254_740_993n, 'what a double cannot hold'],
  [1_000n, 'a power of ten'],
  [123_456_789n, 'no number in particular'],
])('finds %s (%s) to the last digit', async (limit) => {
  const { found } = await search({ accepted: 500n, refused: max }, { from: -max, to: limit });
  expect(found).toEqual({ accepted: limit, refused: limit + 1n });
});

test.each([1n, 0n, -1n, -12_345n, -(2n ** 31n)])('finds %s from above', async (limit) => {
  const { found } = await search({ accepted: 500n, refused: -max }, { from: limit, to: max });
  expect(found).toEqual({ accepted: limit, refused: limit - 1n });
});

test('needs few requests where a limit is set at a usual number', async () => {
  const { tries } = await search({ accepted: 500n, refused: max }, { from: 1n, to: 2n ** 31n - 1n });
  expect(tries).toBeLessThan(20);
});

test('finds none where what lies past is taken again', async () => {
  const holes: bigint[] = [];
  for (let number = 600n; number < 700n; number += 1n) {
    holes.push(number);
  }
  const { found } = await search(
    { accepted: 500n, refused: 650n },
    { from: 1n, to: max, existing: holes.slice(50, 51) },
  );
  expect(found).toBeUndefined();
});

test('tells keys of earlier runs from a limit by what lies past them', async () => {
  // Those that were sent before lie around the start as well.
  const sent = Array.from({ length: 399 }, (_, index) => 101n + BigInt(index));
  const existing = [1n, 2n, 9n, 10n, 99n, ...sent];
  const { found } = await search(
    { accepted: 500n, refused: -max },
    { from: 1n, to: max, existing, isVague: true },
  );
  expect(found).toEqual({ accepted: 1n, refused: 0n });
});

test('claims no limit at an arbitrary number where keys that exist are refused alike', async () => {
  const { found } = await search(
    { accepted: 50_000n, refused: -max },
    { from: 40_321n, to: max, isVague: true },
  );
  expect(found).toBeUndefined();
});

test('claims no limit where a store that counts holds every key up to a round number', async () => {
  const range = { from: 10n, to: max, isVague: true };
  expect((await search({ accepted: 50_000n, refused: -max }, range)).found).toBeUndefined();
});
