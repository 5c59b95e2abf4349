import { type ExactNumber, toDecimal, numberKey } from '../../json/exact-number.ts';

/** Names of keys that were sent. */
export interface SentKeys {
  has(name: string): boolean;
  add(name: string): void;
}

/**
 * So many are certain to be known again: far more than are sent of a case and beside it, and no key is given out
 * twice.
 */
const mostKeys = 20_000;

/**
 * Remembers the keys that were sent last: a run of an hour is not to keep all. A forgotten key that a case chose
 * counts as one that may exist, which is as little as can be said of it.
 */
export function createSentKeys(): SentKeys {
  let young = new Set<string>();
  let old = new Set<string>();
  return {
    has: (name) => young.has(name) || old.has(name),
    add(name) {
      young.add(name);
      if (young.size >= mostKeys) {
        old = young;
        young = new Set();
      }
    },
  };
}

/** Beyond them every service that keeps digits needs more than a double. */
const exponentLimit = 40;

/**
 * What an integer becomes for a service that keeps keys as doubles, or in 32 bits, one text each; none for a number
 * that is no integer or too large to be a key anywhere.
 */
export function roundedKeys(key: number | ExactNumber): readonly string[] {
  if (typeof key === 'number' && Number.isSafeInteger(key)) {
    // The low 32 bits are those of the integer, as every digit of it is there.
    return [`double ${key}`, `int32 ${key | 0}`];
  }
  const { coefficient, exponent } = toDecimal(key);
  if (exponent < 0 || exponent > exponentLimit) return [];
  const integer = coefficient * 10n ** BigInt(exponent);
  return [`double ${numberKey(Number(integer))}`, `int32 ${BigInt.asIntN(32, integer)}`];
}

/** Whether a key was sent before, or one that a service which rounds its keys takes for it. */
export type KeyMemory = 'sent' | 'twin' | 'fresh';

/** Its own rounding, to a double as well as to 32 bits: nearly every key of a run is one. */
function isInt32(key: number | ExactNumber): boolean {
  return typeof key === 'number' && Math.trunc(key) === key && Math.abs(key) < 2 ** 31;
}

/** Says what is known of a key below a concrete path, and notes it as sent; texts are never twins of each other. */
export function rememberKey(input: {
  readonly sentKeys: SentKeys;
  readonly place: string;
  readonly key: string | number | ExactNumber;
}): KeyMemory {
  const { sentKeys, place, key } = input;
  if (typeof key === 'string') {
    const name = `${place} ${JSON.stringify(key)}`;
    const wasSent = sentKeys.has(name);
    sentKeys.add(name);
    return wasSent ? 'sent' : 'fresh';
  }
  const name = `${place} ${numberKey(key)}`;
  const roundings = roundedKeys(key).map((rounded) => `${place} ${rounded}`);
  const wasSent = sentKeys.has(name);
  let hasTwin = roundings.some((rounded) => sentKeys.has(rounded));
  if (!isInt32(key)) {
    // A key of 32 bits goes by its own name alone.
    hasTwin ||= roundedKeys(key).some((rounded) => sentKeys.has(`${place} ${rounded.split(' ')[1]}`));
    roundings.forEach((rounded) => sentKeys.add(rounded));
  }
  sentKeys.add(name);
  if (wasSent) return 'sent';
  return hasTwin ? 'twin' : 'fresh';
}
