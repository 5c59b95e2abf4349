import { type JsonPointer, pointerTokens } from '../json/pointer.ts';
import type { JsonObject } from '../json/value.ts';
import { plainPointer, visitReferences } from './references.ts';
import { isHarmless } from './recoveries.ts';

/**
 * Prepares to determine which operations some places of a document affect, also through references: places inside the
 * operation, around it, or in the target of a reference. A place in an example, a link or the like affects none.
 *
 * @returns a function from places to a predicate for operations, each given by its place beside the parameters of its
 * path
 */
export function traceConcern(
  root: JsonObject,
): (places: readonly JsonPointer[]) => (operation: JsonPointer) => boolean {
  const holders = new Map<JsonPointer, JsonPointer[]>();
  visitReferences(root, {
    reference(_holder, reference, pointer) {
      const target = plainPointer(reference);
      if (target === undefined || isHarmless(pointer)) return;
      const known = holders.get(target) ?? [];
      known.push(pointer);
      holders.set(target, known);
    },
  });
  return (places) => {
    const concerned = new Set(places.filter((place) => !isHarmless(place)));
    // A Set also iterates over values that are added during the loop.
    for (const place of concerned) {
      for (const around of placesAround(place)) {
        holders.get(around)?.forEach((holder) => concerned.add(holder));
      }
    }
    const isOfAll = [...concerned].some((place) => place.lastIndexOf('/') === 0);
    const within = new Set([...concerned].flatMap(placesAround));
    return (operation) => {
      const pathItem = operation.slice(0, operation.lastIndexOf('/')).replace(/\/additionalOperations$/u, '');
      return (
        isOfAll ||
        within.has(operation) ||
        within.has(`${pathItem}/parameters`) ||
        placesAround(operation).some((around) => concerned.has(around))
      );
    };
  };
}

/** Returns a place and all places that contain it. */
function placesAround(place: JsonPointer): readonly JsonPointer[] {
  const parts = place.split('/');
  return pointerTokens(place).map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
