import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { resolveLocal } from '../../schema/resolve-local.ts';

/** Whether a self-contained schema takes no property that it does not name, whichever branch of it is met. */
export function isClosed(schema: JsonSchema): boolean {
  const entered = new Set<JsonObject>();

  function closes(part: JsonValue | undefined): boolean {
    if (!isJsonObject(part) || entered.has(part)) {
      return false;
    }
    entered.add(part);
    const { $ref: reference, additionalProperties, unevaluatedProperties, allOf } = part;
    const branches = [part['oneOf'], part['anyOf']].filter((list) => Array.isArray(list));
    return (
      additionalProperties === false ||
      unevaluatedProperties === false ||
      (typeof reference === 'string' &&
        reference.startsWith('#') &&
        closes(resolveLocal(schema, reference))) ||
      (Array.isArray(allOf) && allOf.some(closes)) ||
      branches.some((list) => list.length > 0 && list.every(closes))
    );
  }

  return closes(schema);
}
