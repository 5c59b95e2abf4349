import { ExactNumber } from './exact-number.ts';
import type { JsonValue } from './json-value.ts';

/** Whether an exact number stands anywhere in a value, which JSON.stringify and the fast validators cannot take. */
export function holdsExactNumber(value: JsonValue): boolean {
  if (value === null || typeof value !== 'object') {
    return false;
  }
  return value instanceof ExactNumber || Object.values(value).some(holdsExactNumber);
}
