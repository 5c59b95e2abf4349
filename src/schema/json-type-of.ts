import { ExactNumber } from '../json/exact-number.ts';
import type { JsonValue } from '../json/json-value.ts';

/** The types of JSON values (RFC 8259 §3); an integer is a number. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** The type of a JSON value. An exact number is a number. */
export function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'array';
  }
  if (typeof value === 'object') {
    return value instanceof ExactNumber ? 'number' : 'object';
  }
  if (typeof value === 'string') {
    return 'string';
  }
  return typeof value === 'number' ? 'number' : 'boolean';
}
