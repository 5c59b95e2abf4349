import { compareNumbers } from './compare-numbers.ts';
import { ExactNumber } from './exact-number.ts';
import type { JsonValue } from './json-value.ts';

function isNumber(value: JsonValue): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/**
 * Whether two JSON values are equal as JSON Schema means it (2020-12 core §4.2.2): numbers by value,
 * strings code unit for code unit, objects whatever the order of their keys.
 */
export function jsonEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) {
    return true;
  }
  if (isNumber(a) || isNumber(b)) {
    return isNumber(a) && isNumber(b) && compareNumbers(a, b) === 0;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false;
  }
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
