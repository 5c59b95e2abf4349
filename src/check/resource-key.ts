import { ExactNumber } from '../json/exact-number.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { numberKey } from '../json/number-key.ts';
import type { Judged } from './judged.ts';

/**
 * The key of what a request would create, where the client chooses it: equal texts are equal keys.
 *
 * @returns undefined where the body cannot be read, or names none
 */
export function resourceKey({ request: { body }, operation }: Judged): string | undefined {
  const value = 'value' in body ? body.value : 'plainJson' in body ? body.plainJson : undefined;
  if (operation?.kind.kind !== 'create' || operation.kind.key.kind !== 'client' || !isJsonObject(value)) {
    return undefined;
  }
  const { property } = operation.kind.key;
  const key = Object.hasOwn(value, property) ? value[property] : undefined;
  if (typeof key === 'string') {
    return key;
  }
  return typeof key === 'number' || key instanceof ExactNumber ? numberKey(key) : undefined;
}
