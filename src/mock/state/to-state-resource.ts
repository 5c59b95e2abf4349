import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { StoreKey } from '../store/store.ts';
import type { StateResource } from './mock-state.ts';

/** The object of a text that is kept: whatever is kept was an object once. */
export function toKeptValue(text: string): JsonObject {
  const parsed = parseJson(text, { explains: false });
  return parsed.kind === 'json' && isJsonObject(parsed.value) ? parsed.value : {};
}

/** A kept resource as the state shows it. */
export function toStateResource({
  key,
  text,
}: {
  readonly key: StoreKey;
  readonly text: string;
}): StateResource {
  return { key: String(key), value: toKeptValue(text) };
}
