import type { StateResource } from '../../../mock/state/mock-state.ts';

/** More columns than these nobody can compare; the rest shows when a resource is opened. */
const most = 6;

/** The names of properties that a table of resources has columns for: those that most of them have, in their order. */
export function listColumns(resources: readonly StateResource[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { value } of resources) {
    for (const name of Object.keys(value)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const chosen = new Set(
    [...counts]
      .toSorted(([, left], [, right]) => right - left)
      .slice(0, most)
      .map(([name]) => name),
  );
  return [...counts.keys()].filter((name) => chosen.has(name));
}
