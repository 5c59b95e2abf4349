import type { StorePage } from './store.ts';

/** An item with a position. */
interface Placed {
  /** Its position, higher than those of all items added before. */
  readonly position: number;
}

/** The length of a run: short enough to remove an item quickly, long enough to keep the number of runs low. */
const runLength = 512;

/** Returns the first index from which all items of a list pass; its length if none does. */
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

/** Returns a page of all items of a collection, which are in the order of the page. */
export function cutPage<T extends Placed>(
  all: readonly T[],
  { limit, order, offset = 0, after }: StorePage,
): readonly T[] {
  const isBeyond = ({ position }: T, start: number): boolean =>
    order === 'descending' ? position < start : position > start;
  const first = after === undefined ? offset : findFirst(all, (item) => isBeyond(item, after));
  return all.slice(first, first + limit);
}

/**
 * Items in the order in which they were added. A page costs the same wherever it starts. The items are stored in runs,
 * none of them empty, and whole runs are skipped.
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

  /** Replaces the item at the same position. */
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

  /** Returns the run of a position, and the index in it of the first item at or after the position. */
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
