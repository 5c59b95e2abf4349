/** Names of keys that were sent. */
export interface SentKeys {
  has(name: string): boolean;
  add(name: string): void;
}

/**
 * How many are certain to be known again. What is sent of one case, beside as many others as there may be, has far
 * fewer, and the allocator gives no key out twice.
 */
const mostKept = 20_000;

/**
 * Remembers the keys that were sent last: a run of an hour is not to keep all of them. A key that a case chose and
 * that is forgotten counts as one that may exist, which is as little as can be said of it.
 */
export function createSentKeys(): SentKeys {
  let young = new Set<string>();
  let old = new Set<string>();
  return {
    has: (name) => young.has(name) || old.has(name),
    add(name) {
      young.add(name);
      if (young.size >= mostKept) {
        old = young;
        young = new Set();
      }
    },
  };
}
