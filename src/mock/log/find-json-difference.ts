import { isJsonObject } from '../../json/is-json-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';

/** The first place where a value lacks what it should hold. */
export interface JsonDifference {
  readonly pointer: string;
  readonly expected: JsonValue;
  /** Undefined where there is nothing. */
  readonly actual: JsonValue | undefined;
}

/**
 * Looks whether a value holds another: each member of an object must be in it, and whatever else must be equal, numbers by
 * value.
 *
 * @returns the first difference, or undefined where there is none
 */
export function findJsonDifference(
  actual: JsonValue | undefined,
  expected: JsonValue,
  pointer = '',
): JsonDifference | undefined {
  if (!isJsonObject(expected)) {
    return actual !== undefined && jsonEqual(actual, expected) ? undefined : { pointer, expected, actual };
  }
  if (actual === undefined || !isJsonObject(actual)) {
    return { pointer, expected, actual };
  }
  for (const [name, member] of Object.entries(expected)) {
    const own = Object.hasOwn(actual, name) ? actual[name] : undefined;
    const difference = findJsonDifference(own, member, appendPointer(pointer, name));
    if (difference !== undefined) {
      return difference;
    }
  }
  return undefined;
}
