import { pointerTokens } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * The schema that a local reference leads to.
 *
 * @param reference - `#/$defs/Name`, or `#` for the whole
 * @returns undefined where it leads to no schema
 */
export function resolveLocal(root: JsonSchema, reference: string): JsonSchema | undefined {
  let target: JsonValue | undefined = root;
  for (const token of pointerTokens(decodeURIComponent(reference.slice(1)))) {
    if (Array.isArray(target)) {
      target = target[Number(token)];
    } else {
      target = isJsonObject(target) && Object.hasOwn(target, token) ? target[token] : undefined;
    }
  }
  return typeof target === 'boolean' || isJsonObject(target) ? target : undefined;
}
