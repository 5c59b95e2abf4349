import type { CollectionCount } from '../../mock/store/store.ts';
import { countResources } from './count-resources.ts';

/** How much each of some holds, a line each, the numbers below each other. */
export function renderCounts(counts: readonly CollectionCount[]): readonly string[] {
  const names = Math.max(0, ...counts.map(({ name }) => name.length));
  const numbers = Math.max(0, ...counts.map(({ count }) => String(count).length));
  return counts.map(
    ({ name, count }) =>
      `${name.padEnd(names)}  ${' '.repeat(numbers - String(count).length)}${countResources(count)}`,
  );
}
