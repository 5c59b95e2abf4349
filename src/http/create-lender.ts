/** Lends out things of which there may be only so many. */
export interface Lender<T> {
  /** One that is free, the last one given back first; undefined where all are lent out. */
  borrow(): T | undefined;
  /** The next one that is given back, in the order of asking. */
  wait(): Promise<T>;
  giveBack(item: T): void;
  /** All that are lent out or free. */
  all(): readonly T[];
  /** Puts a new one in the place of one that is lent out. */
  replace(item: T): T;
}

/**
 * Creates a lender, which creates its things when they are first needed.
 *
 * @param options - how many things there may be, and how one is made
 */
export function createLender<T>({
  limit,
  create,
}: {
  readonly limit: number;
  readonly create: () => T;
}): Lender<T> {
  const all: T[] = [];
  const free: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    borrow() {
      const item = free.pop();
      if (item !== undefined || all.length >= limit) {
        return item;
      }
      const created = create();
      all.push(created);
      return created;
    },
    wait() {
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    giveBack(item) {
      const next = waiting.shift();
      if (next === undefined) {
        free.push(item);
        return;
      }
      next(item);
    },
    all: () => all,
    replace(item) {
      const created = create();
      all[all.indexOf(item)] = created;
      return created;
    },
  };
}
