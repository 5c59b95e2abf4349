import type { JsonPointer } from '../../json/json-pointer.ts';

/**
 * The place that a reference inside a document leads to (RFC 6901 §6): its fragment, percent-decoded.
 *
 * @param reference - `#/components/schemas/A`
 * @returns undefined where it leads out of the document or is no pointer
 */
export function toInternalPointer(reference: string): JsonPointer | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) {
    return undefined;
  }
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}
