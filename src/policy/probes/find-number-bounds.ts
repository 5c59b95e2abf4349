import type { JsonObject } from '../../json/json-value.ts';
import { toJsonNumber } from '../../json/to-json-number.ts';
import { bisectBound } from './bisect-bound.ts';

const powers = [7n, 8n, 15n, 16n, 31n, 32n, 53n];
const notable = [
  0n,
  1n,
  9n,
  10n,
  12n,
  24n,
  31n,
  50n,
  59n,
  60n,
  99n,
  100n,
  150n,
  200n,
  255n,
  365n,
  500n,
  999n,
  1_000n,
  5_000n,
  9_999n,
  10_000n,
  65_535n,
  99_999n,
  100_000n,
  999_999n,
  1_000_000n,
  999_999_999n,
  1_000_000_000n,
  ...powers.flatMap((power) => [2n ** power - 1n, -(2n ** power)]),
  -(2n ** 53n - 1n),
].toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));

/**
 * Finds the whole numbers that a service bounds and the document does not.
 *
 * @param input.taken - one that is known to be taken
 * @param input.ends - the largest numbers that could be sent, and the smallest, the furthest first
 * @param input.isValid - whether the schema takes a number
 * @param input.takes - whether the service takes it
 * @returns a fragment of a schema
 */
export async function findNumberBounds(input: {
  readonly taken: bigint;
  readonly ends: readonly (readonly ['minimum' | 'maximum', readonly bigint[]])[];
  readonly isValid: (value: bigint) => boolean;
  readonly takes: (value: bigint) => Promise<boolean>;
}): Promise<JsonObject> {
  const { taken, isValid, takes } = input;
  const bounds: JsonObject = {};
  for (const [keyword, ends] of input.ends) {
    const refused = ends.find(isValid);
    if (refused !== undefined && refused !== taken && !(await takes(refused))) {
      const bound = await bisectBound({ taken, refused, notable, takes });
      bounds[keyword] = toJsonNumber(String(bound));
    }
  }
  return bounds;
}
