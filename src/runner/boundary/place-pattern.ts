import type { JsonPointer } from '../../json/json-pointer.ts';

/** A place with `*` for each index: what holds for one item of a list holds for all. */
export function placePattern(place: JsonPointer): JsonPointer {
  return place.replaceAll(/\/\d+(?=\/|$)/gu, '/*');
}
