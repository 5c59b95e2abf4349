import { resolvePointer } from '../../document/resolve-pointer.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer, pointerTokens } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { copyJson } from './copy-json.ts';
import type { DocumentChange } from './document-change.ts';

function merge(target: JsonObject, update: JsonObject): void {
  for (const [name, value] of Object.entries(update)) {
    const there = Object.hasOwn(target, name) ? target[name] : undefined;
    if (isJsonObject(there) && isJsonObject(value)) {
      merge(there, value);
    } else {
      target[name] = value;
    }
  }
}

function update(target: JsonValue | undefined, value: JsonValue): void {
  if (Array.isArray(target)) {
    target.push(value);
  } else if (isJsonObject(target) && isJsonObject(value)) {
    merge(target, value);
  }
}

/**
 * The document that changes lead to, its numbers as most readers have them: what it says then, it says to everybody.
 *
 * @param root - it is left as it is
 */
export function applyChanges(root: JsonObject, changes: readonly DocumentChange[]): JsonObject {
  const copy = copyJson(root, 'double');
  for (const { pointer, change } of changes) {
    const tokens = pointerTokens(pointer);
    const last = tokens.at(-1);
    if (change.kind === 'update') {
      update(resolvePointer(copy, pointer), copyJson(change.value, 'double'));
    } else if (last !== undefined) {
      const parent = resolvePointer(copy, appendPointer('', ...tokens.slice(0, -1)));
      if (isJsonObject(parent)) {
        Reflect.deleteProperty(parent, last);
      }
    }
  }
  return isJsonObject(copy) ? copy : {};
}
