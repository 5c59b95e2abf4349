import type { Operation } from '../contract/operation.ts';
import { ExactNumber } from '../json/exact-number.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { BodyReading } from './request-reading.ts';

/**
 * The key of what a request would create, as its client chose it.
 *
 * @returns undefined where the body cannot be read, names none, or the key is not the client's to choose
 */
export function readKey(
  body: BodyReading,
  operation: Operation | undefined,
): string | number | ExactNumber | undefined {
  const value = 'value' in body ? body.value : 'plainJson' in body ? body.plainJson : undefined;
  if (operation?.kind.kind !== 'create' || operation.kind.key.kind !== 'client' || !isJsonObject(value)) {
    return undefined;
  }
  const { property } = operation.kind.key;
  const key = Object.hasOwn(value, property) ? value[property] : undefined;
  const isNumber = typeof key === 'number' || key instanceof ExactNumber;
  return isNumber || typeof key === 'string' ? key : undefined;
}
