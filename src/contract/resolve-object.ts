import { type JsonPointer, pointerTokens } from '../json/json-pointer.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';

/** An object of a document and the place where it really stands. */
export interface ResolvedObject {
  readonly value: JsonObject;
  readonly pointer: JsonPointer;
}

function valueAt(root: JsonValue, pointer: JsonPointer): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const token of pointerTokens(pointer)) {
    if (Array.isArray(value)) {
      value = value[Number(token)];
    } else if (isJsonObject(value)) {
      value = Object.hasOwn(value, token) ? value[token] : undefined;
    } else {
      return undefined;
    }
  }
  return value;
}

/**
 * The object at a place of a document, through any `$ref` that stands for it (OpenAPI 3.1 §4.8.23).
 *
 * @param root - a document whose references are all `#` and a pointer, not percent-encoded
 * @returns undefined where there is no object
 */
export function resolveObject(root: JsonObject, pointer: JsonPointer): ResolvedObject | undefined {
  const seen = new Set<JsonPointer>();
  let place = pointer;
  while (!seen.has(place)) {
    seen.add(place);
    const value = valueAt(root, place);
    if (!isJsonObject(value)) {
      return undefined;
    }
    const reference = Object.hasOwn(value, '$ref') ? value['$ref'] : undefined;
    if (typeof reference !== 'string') {
      return { value, pointer: place };
    }
    place = reference.replace(/^#/u, '');
  }
  return undefined;
}
