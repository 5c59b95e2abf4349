import type { JsonValue } from '../json/json-value.ts';

/**
 * Whether a property that a document does not declare is one like any other: readers trip over the names of what every
 * object of theirs has, and over depth, and that says nothing of what becomes of undeclared properties.
 */
export function isOrdinaryProperty(name: string, value: JsonValue | undefined): boolean {
  const isSimple =
    typeof value === 'string' ? value.length <= 100 : typeof value === 'number' || typeof value === 'boolean';
  return /^[A-Za-z]{3,20}$/u.test(name) && !(name in {}) && isSimple;
}
