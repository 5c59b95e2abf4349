const powersOfTen = [...Array(18).keys()].flatMap((digits) => {
  const power = 10n ** BigInt(digits + 1);
  return [power - 1n, power];
});
const powersOfTwo = [7n, 8n, 15n, 16n, 31n, 32n, 53n, 63n].flatMap((bits) => [2n ** bits - 1n, 2n ** bits]);
const magnitudes = [1n, ...powersOfTen, ...powersOfTwo];

/** Numbers at which limits are set more often than elsewhere: ends of machine types, powers of ten; ascending. */
export const notableNumbers: readonly bigint[] = [
  ...new Set([0n, ...magnitudes, ...magnitudes.map((magnitude) => -magnitude)]),
].toSorted((left, right) => (left < right ? -1 : 1));
