/** Finer than this a long list is not cut; once it is shorter it is cut again. */
const mostChunks = 32;

/**
 * Ways to keep only some items of a list: none, each half, each quarter, all but a quarter, and so on to
 * single items (the order of delta debugging: Zeller and Hildebrandt, "Simplifying and isolating
 * failure-inducing input", 2002).
 *
 * @returns lists that are shorter than the given one, in its order
 */
export function* keepFewer<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  if (items.length === 0) {
    return;
  }
  yield [];
  for (let chunks = 2; chunks < items.length * 2 && chunks <= mostChunks; chunks *= 2) {
    const size = items.length / Math.min(chunks, items.length);
    const cuts = [...Array(Math.min(chunks, items.length)).keys()].map(
      (index) => [Math.round(index * size), Math.round((index + 1) * size)] as const,
    );
    for (const [from, to] of cuts) {
      yield items.slice(from, to);
    }
    if (chunks > 2) {
      for (const [from, to] of cuts) {
        yield [...items.slice(0, from), ...items.slice(to)];
      }
    }
  }
}
