/** Where the search for a shorter list goes on: no longer stretch, and none nearer to the end, can be left out. */
interface Position {
  readonly size: number;
  readonly end: number;
}

const positions = new WeakMap<readonly unknown[], Position>();

/**
 * Yields every list without one stretch of it: the longest stretches first, from the end. A list that it yielded is
 * shortened further from where it was found, because stretches that were needed before are most likely needed still:
 * the search is linear, as in delta debugging (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input).
 */
export function* shorten<Step>(steps: readonly Step[]): Generator<readonly Step[]> {
  const half = Math.floor(steps.length / 2);
  const from = positions.get(steps) ?? { size: half, end: steps.length };
  for (let { size, end } = from; size >= 1; size = Math.floor(size / 2), end = steps.length) {
    for (; end - size >= 0; end -= size) {
      const shorter = [...steps.slice(0, end - size), ...steps.slice(end)];
      positions.set(shorter, { size, end: end - size });
      yield shorter;
    }
  }
}

/** Marks a list as one that cannot be shortened, because the list from which it was made could not be. */
export function asShort<Step>(steps: readonly Step[]): readonly Step[] {
  positions.set(steps, { size: 0, end: 0 });
  return steps;
}
