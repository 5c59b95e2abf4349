/**
 * Finds where taking ends between a number that is taken and one that is not, whichever of them is larger.
 *
 * @param input.notable - numbers that bounds often are; they are tried first, so that most bounds cost little
 * @returns the last number that is taken
 */
export async function bisectBound(input: {
  readonly taken: bigint;
  readonly refused: bigint;
  readonly notable: readonly bigint[];
  readonly takes: (value: bigint) => Promise<boolean>;
}): Promise<bigint> {
  let { taken, refused } = input;
  const step = refused > taken ? 1n : -1n;
  const isBetween = (value: bigint): boolean =>
    step > 0n ? value > taken && value < refused : value < taken && value > refused;
  while (refused - taken !== step) {
    // A notable number is a bound where the one after it is refused.
    const likely = input.notable.flatMap((value) => [value, value + step]).filter(isBetween);
    const middle = likely[Math.floor(likely.length / 2)] ?? (taken + refused) / 2n;
    if (await input.takes(middle)) {
      taken = middle;
    } else {
      refused = middle;
    }
  }
  return taken;
}
