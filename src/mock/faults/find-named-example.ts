import type { MediaTypeContract } from '../../contract/media-type-contract.ts';
import { resolveObject } from '../../contract/resolve-object.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';

/**
 * The value of a named example of a media type (OpenAPI 3.1 §4.8.14, §4.8.19).
 *
 * @param root - the document
 * @returns undefined where there is none of that name, or its value lies outside the document
 */
export function findNamedExample(
  root: JsonObject,
  media: MediaTypeContract,
  name: string,
): JsonValue | undefined {
  return resolveObject(root, appendPointer(media.pointer, 'examples', name))?.value['value'];
}
