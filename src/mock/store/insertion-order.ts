import type { StorePage } from './store.ts';

/** What has a place in an order. */
interface Placed {
  /** Higher than that of everything that was added before. */
  readonly position: number;
}

/** A run is short enough to close a gap in it at once, and long enough that there are few of them. */
const runLength = 512;

/** The first index from which on a list holds what passes; its length where nothing does. */
export function findFirst<T>(list: readonly T[], passes: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = list[middle];
    if (item !== undefined && passes(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Things in the order in which they were added; a page of them costs the same wherever it is. It is a list of runs, none of
 * them empty, which are skipped whole.
 */
export class InsertionOrder<T extends Placed> {
  readonly #runs: T[][] = [];

  add(item: T): void {
    const last = this.#runs.at(-1);
    if (last === undefined || last.length >= runLength) this.#runs.push([item]);
    else last.push(item);
  }

  remove({ position }: T): void {
    const [run, index] = this.#locate(position);
    const items = this.#runs[run];
    if (items?.[index]?.position !== position) return;
    items.splice(index, 1);
    const next = this.#runs[run + 1] ?? [];
    if (items.length === 0) this.#runs.splice(run, 1);
    else if (items.length + next.length <= runLength / 2) this.#runs.splice(run, 2, [...items, ...next]);
  }

  /** Puts an item in place of the one at its position. */
  replace(item: T): void {
    const [run, index] = this.#locate(item.position);
    const items = this.#runs[run];
    if (items?.[index]?.position === item.position) items[index] = item;
  }

  page({ offset, after, limit, order }: StorePage): T[] {
    const isDescending = order === 'descending';
    let [run, index] =
      after === undefined ? this.#skip(offset, isDescending) : this.#skipTo(after, isDescending);
    const found: T[] = [];
    for (let items = this.#runs[run]; items !== undefined && found.length < limit; items = this.#runs[run]) {
      const rest = limit - found.length;
      if (isDescending) {
        found.push(...items.slice(Math.max(0, index + 1 - rest), index + 1).toReversed());
        run -= 1;
        index = (this.#runs[run]?.length ?? 0) - 1;
      } else {
        found.push(...items.slice(index, index + rest));
        run += 1;
        index = 0;
      }
    }
    return found;
  }

  /** The run that a position would be in, and its index there: that of the first one that is at the position or behind it. */
  #locate(position: number): readonly [run: number, index: number] {
    const run = findFirst(this.#runs, (each) => (each.at(-1)?.position ?? 0) >= position);
    return [run, findFirst(this.#runs[run] ?? [], (item) => item.position >= position)];
  }

  #skip(offset: number, isDescending: boolean): readonly [run: number, index: number] {
    let rest = offset;
    const step = isDescending ? -1 : 1;
    for (let run = isDescending ? this.#runs.length - 1 : 0; ; run += step) {
      const items = this.#runs[run];
      if (items === undefined) return [run, 0];
      if (rest < items.length) return [run, isDescending ? items.length - 1 - rest : rest];
      rest -= items.length;
    }
  }

  #skipTo(after: number, isDescending: boolean): readonly [run: number, index: number] {
    if (!isDescending) return this.#locate(after + 1);
    const [run, index] = this.#locate(after);
    return index > 0 ? [run, index - 1] : [run - 1, (this.#runs[run - 1]?.length ?? 1) - 1];
  }
}
