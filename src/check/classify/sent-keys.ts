import { type ExactNumber, toDecimal, numberKey } from '../../json/exact-number.ts';

/** The names of ids that were sent. */
export interface SentKeys {
  has(name: string): boolean;
  add(name: string): void;
}

/**
 * At least the latest 20,000 ids are remembered: far more than the requests of a case and concurrent ones send. No id
 * is allocated twice.
 */
const mostKeys = 20_000;

/**
 * Remembers the latest ids, as a run of an hour must not keep all. A forgotten id that a case chose counts as one that
 * may exist.
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

/** With a larger exponent, every service that keeps all digits needs more than a double. */
const exponentLimit = 40;

/**
 * Returns an integer as a service stores it that keeps ids as doubles or in 32 bits, one text each. Empty for a number
 * that is not an integer, or too large to be an id.
 */
export function roundedKeys(key: number | ExactNumber): readonly string[] {
  if (typeof key === 'number' && Number.isSafeInteger(key)) {
    // The low 32 bits are exact, as the double has every digit of the integer.
    return [`double ${key}`, `int32 ${key | 0}`];
  }
  const { coefficient, exponent } = toDecimal(key);
  if (exponent < 0 || exponent > exponentLimit) return [];
  const integer = coefficient * 10n ** BigInt(exponent);
  return [`double ${numberKey(Number(integer))}`, `int32 ${BigInt.asIntN(32, integer)}`];
}

/** Whether an id was sent before, or one that a service with rounded ids cannot distinguish from it. */
export type KeyMemory = 'sent' | 'colliding' | 'fresh';

/** Returns whether rounding to a double or to 32 bits keeps the id; it does for nearly every id of a run. */
function isInt32(key: number | ExactNumber): boolean {
  return typeof key === 'number' && Math.trunc(key) === key && Math.abs(key) < 2 ** 31;
}

/**
 * Returns whether an id below a concrete path was sent before, and notes it as sent. Texts collide if they differ only in
 * case, as a service may compare them without it.
 */
export function rememberKey(input: {
  readonly sentKeys: SentKeys;
  readonly place: string;
  readonly key: string | number | ExactNumber;
}): KeyMemory {
  const { sentKeys, place, key } = input;
  if (typeof key === 'string') {
    const name = `${place} ${JSON.stringify(key)}`;
    const folded = `${place} ${JSON.stringify(key.toLowerCase())}`;
    const [wasSent, isColliding] = [sentKeys.has(name), sentKeys.has(folded)];
    sentKeys.add(name);
    if (folded !== name) sentKeys.add(folded);
    if (wasSent) return 'sent';
    return isColliding ? 'colliding' : 'fresh';
  }
  const name = `${place} ${numberKey(key)}`;
  const roundings = roundedKeys(key).map((rounded) => `${place} ${rounded}`);
  const wasSent = sentKeys.has(name);
  let isColliding = roundings.some((rounded) => sentKeys.has(rounded));
  if (!isInt32(key)) {
    // An id of 32 bits is stored by its name only.
    isColliding ||= roundedKeys(key).some((rounded) => sentKeys.has(`${place} ${rounded.split(' ')[1]}`));
    roundings.forEach((rounded) => sentKeys.add(rounded));
  }
  sentKeys.add(name);
  if (wasSent) return 'sent';
  return isColliding ? 'colliding' : 'fresh';
}
