import { compareNumbers, ExactNumber } from './exact-number.ts';

/** A JSON object. Keys are own properties; `__proto__` is a key like any other. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/**
 * Any JSON value (RFC 8259 §3). A number is a JavaScript number if that prints as the same text, and an
 * {@link ExactNumber} otherwise.
 */
export type JsonValue = null | boolean | number | string | ExactNumber | JsonValue[] | JsonObject;

/** Returns whether a value contains an exact number, which JSON.stringify and the fast validators do not support. */
export function holdsExactNumber(value: JsonValue): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) return value.some(holdsExactNumber);
  // Many times faster than Object.values with very many members. Inherited properties are not enumerable.
  for (const name in value) {
    const member = value[name];
    if (typeof member === 'object' && holdsExactNumber(member)) return true;
  }
  return false;
}

/** Returns whether a value is a JSON object: not an array, not an exact number, and not undefined. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** Returns whether a value is a JSON number, exact or not. */
export function isJsonNumber(value: JsonValue | undefined): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/**
 * Returns whether two JSON values are equal by the rules of JSON Schema (2020-12 core §4.2.2). Numbers compare by
 * value, strings by code units, and objects in any order of their keys.
 */
export function jsonEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (isJsonNumber(a) || isJsonNumber(b)) {
    return isJsonNumber(a) && isJsonNumber(b) && compareNumbers(a, b) === 0;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => {
        const other = b[index];
        return other !== undefined && jsonEqual(item, other);
      })
    );
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => {
      const left = Object.hasOwn(a, key) ? a[key] : undefined;
      const right = Object.hasOwn(b, key) ? b[key] : undefined;
      return left !== undefined && right !== undefined && jsonEqual(left, right);
    })
  );
}

/** Sets a property. `__proto__` becomes an own property like any other. */
export function setOwn(target: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  target[name] = value;
}
