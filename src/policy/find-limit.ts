/** How a service responds to a probe. `other` is neither a success nor a refusal: the search ends without a result. */
export type Verdict = 'accepted' | 'refused' | 'other';

/** Two whole numbers. The service accepts one and refuses the other; either may be the larger. */
export interface Bracket {
  readonly accepted: bigint;
  readonly refused: bigint;
}

/** Tries a number. */
export type NumberProbe = (number: bigint) => Promise<Verdict>;

/** Returns whether a number lies between the ends of a bracket. */
export function isBetween(number: bigint, { accepted, refused }: Bracket): boolean {
  return (accepted < number && number < refused) || (refused < number && number < accepted);
}

const powersOfTen = [...Array(18).keys()].flatMap((digits) => {
  const power = 10n ** BigInt(digits + 1);
  return [power - 1n, power];
});
const ends = [7n, 8n, 15n, 16n, 31n, 32n, 53n, 63n].flatMap((bits) => [2n ** bits - 1n, 2n ** bits]);
const magnitudes = [1n, ...powersOfTen, ...ends];

function toAscending(numbers: readonly bigint[]): readonly bigint[] {
  return [...new Set(numbers)].toSorted((left, right) => (left < right ? -1 : 1));
}

/** The ends of machine types and powers of ten, ascending. Limits of numbers are most often among them. */
export const notableNumbers: readonly bigint[] = toAscending([
  0n,
  ...magnitudes,
  ...magnitudes.map((magnitude) => -magnitude),
]);

/** Usual limits of sizes (characters of a text, items of a list, bytes of a body) and of everyday numbers. */
const usualSizes = [
  2, 3, 4, 5, 6, 8, 12, 20, 24, 25, 30, 36, 40, 50, 59, 60, 80, 120, 140, 150, 160, 180, 190, 191, 200, 250,
  254, 300, 365, 400, 500, 2_000, 4_000, 5_000, 8_000, 10_240, 20_000, 20_480, 30_000, 50_000, 51_200,
  102_400, 200_000, 204_800, 500_000, 512_000, 1_024_000, 2_000_000, 2_048_000,
].map(BigInt);
const powersOfTwo = Array.from({ length: 18 }, (_, index) => 2n ** BigInt(index + 4));
/** Every number that a search tries before others, ascending. */
export const usualLimits: readonly bigint[] = toAscending([
  ...notableNumbers,
  ...usualSizes,
  ...powersOfTwo.flatMap((power) => [power - 1n, power]),
]);

/**
 * Finds two neighbours: the last number that a service accepts and the first that it refuses. Tries usual limits first,
 * because most limits are among them, then halves the bracket. Returns undefined if the service does not treat the ends
 * as the bracket claims, or if a probe has another verdict.
 */
export async function findLimit(bracket: Bracket, probe: NumberProbe): Promise<Bracket | undefined> {
  if ((await probe(bracket.refused)) !== 'refused' || (await probe(bracket.accepted)) !== 'accepted') {
    return undefined;
  }
  const step = bracket.refused > bracket.accepted ? 1n : -1n;
  let found = bracket;
  // A usual number is the limit if the service refuses its neighbour.
  let candidates = usualLimits.flatMap((number) => [number, number + step]);
  while (found.refused - found.accepted !== step) {
    const { accepted, refused }: Bracket = found;
    candidates = candidates.filter((number) => isBetween(number, { accepted, refused }));
    const middle = candidates[Math.floor(candidates.length / 2)] ?? (accepted + refused) / 2n;
    const verdict = await probe(middle);
    if (verdict === 'other') return undefined;
    found = { ...found, [verdict]: middle };
  }
  return found;
}

/** The number of characters to try together, if one of many is rejected. */
const groupSize = 4;

/**
 * Returns the characters that a service rejects even alone. Tries many together first. The verdict `other` on several
 * characters, which may be too long a text, makes it try fewer.
 */
export async function findRefusedCharacters(
  characters: readonly string[],
  probe: (characters: string) => Promise<Verdict>,
): Promise<readonly string[]> {
  const verdict = await probe(characters.join(''));
  if (verdict === 'accepted') return [];
  if (characters.length === 1) return verdict === 'refused' ? characters : [];
  const size = characters.length > groupSize ? groupSize : 1;
  const refused: string[] = [];
  for (let from = 0; from < characters.length; from += size) {
    refused.push(...(await findRefusedCharacters(characters.slice(from, from + size), probe)));
  }
  return refused;
}

/**
 * Returns a refusal without its numbers. Two refusals with equal signatures have one reason, as far as a client can
 * see: an id that already exists and one that is out of bounds, for example.
 */
export function refusalSignature(status: number, body: string): string {
  return `${status} ${body.replaceAll(/-?\d+(?:\.\d+)?/gu, '#')}`;
}
