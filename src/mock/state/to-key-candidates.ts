import { parseJson } from '../../json/parse-json.ts';
import type { StoreKey } from '../store/store.ts';
import { toStoreKey } from '../store/to-store-key.ts';

/**
 * What a key may be kept under, likeliest first: the JSON value that it is a text of, itself, and a text of which the
 * quotes were left out.
 *
 * @param key - `1`, `"basil"`, `basil`
 */
export function toKeyCandidates(key: string): readonly StoreKey[] {
  const parsed = parseJson(key, { explains: false });
  const value = parsed.kind === 'json' ? [toStoreKey(parsed.value)] : [];
  return [...new Set([...value, key, toStoreKey(key)])];
}
