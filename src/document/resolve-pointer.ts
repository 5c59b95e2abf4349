import { type JsonPointer, pointerTokens } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { isJsonObject } from '../json/is-json-object.ts';

/**
 * What stands at a place (RFC 6901 §4).
 *
 * @returns undefined where nothing does
 */
export function resolvePointer(root: JsonValue, pointer: JsonPointer): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const token of pointerTokens(pointer)) {
    if (Array.isArray(value)) {
      value = /^(?:0|[1-9]\d*)$/u.test(token) ? value[Number(token)] : undefined;
    } else {
      value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
    }
  }
  return value;
}
