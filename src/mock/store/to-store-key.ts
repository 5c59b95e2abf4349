import type { JsonValue } from '../../json/json-value.ts';
import { valueKey } from '../../schema/value-key.ts';
import type { StoreKey } from './store.ts';

/** The key that a value is kept under: values that are equal to the last digit have one, others another. */
export function toStoreKey(value: JsonValue): StoreKey {
  // -0 and 0 are one key; Map has it so too.
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : toText(value);
}

/** A text is never a number: 1e0 has the key of 1, and "1" has quotes. */
function toText(value: JsonValue): StoreKey {
  const text = valueKey(value);
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : text;
}
