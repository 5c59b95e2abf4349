import type { ExactNumber } from '../json/exact-number.ts';
import { numberKey } from '../json/number-key.ts';
import type { SentKeys } from './create-sent-keys.ts';
import { roundedKeys } from './rounded-keys.ts';

/** Whether a key was sent before, or one that a service which rounds its keys takes for it. */
export type KeyMemory = 'sent' | 'twin' | 'fresh';

/** Its own rounding, to a double as well as to 32 bits: nearly every key of a run is one. */
function isInt32(key: number | ExactNumber): boolean {
  return typeof key === 'number' && Math.trunc(key) === key && Math.abs(key) < 2 ** 31;
}

/** The number that a key is rounded to, without what rounds it there. */
function numberOf(rounded: string): string {
  return rounded.slice(rounded.indexOf(' ') + 1);
}

/**
 * Says what is known of a key at a place, and notes it as sent.
 *
 * @param input.place - the concrete path, below which keys are kept apart
 * @param input.key - texts are never twins of each other
 */
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
    hasTwin ||= roundedKeys(key).some((rounded) => sentKeys.has(`${place} ${numberOf(rounded)}`));
    roundings.forEach((rounded) => sentKeys.add(rounded));
  }
  sentKeys.add(name);
  if (wasSent) {
    return 'sent';
  }
  return hasTwin ? 'twin' : 'fresh';
}
