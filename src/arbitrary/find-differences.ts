import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';

/**
 * Where two values differ: members that only one of them has, and the innermost values that are not the
 * same in both.
 */
export function findDifferences(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  at: JsonPointer = '',
): readonly JsonPointer[] {
  if (left === undefined || right === undefined) {
    return left === right ? [] : [at];
  }
  if (!isJsonObject(left) || !isJsonObject(right)) {
    return stringifyJson(left) === stringifyJson(right) ? [] : [at];
  }
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) =>
    findDifferences(
      Object.hasOwn(left, name) ? left[name] : undefined,
      Object.hasOwn(right, name) ? right[name] : undefined,
      appendPointer(at, name),
    ),
  );
}
