import { fileOfRow } from './row-places.ts';
import type { StateRows } from './mock-state.ts';

/** What rows are called in a sentence: the file that they were read from, or else their collections. */
export function nameRows(rows: StateRows): string {
  const first = Object.values(rows).find((list) => list.length > 0)?.[0];
  return fileOfRow(first) ?? Object.keys(rows).slice(0, 5).join(', ');
}
