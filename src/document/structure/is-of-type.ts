import { ExactNumber } from '../../json/exact-number.ts';
import { isInteger } from '../../json/is-integer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { isJsonObject } from '../../json/is-json-object.ts';

/** Whether a value has a type of JSON Schema (2020-12 validation §6.1.1). */
export function isOfType(value: JsonValue, type: string): boolean {
  const isNumber = typeof value === 'number' || value instanceof ExactNumber;
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return isNumber && isInteger(value);
    case 'null':
      return value === null;
    case 'number':
      return isNumber;
    case 'object':
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}
