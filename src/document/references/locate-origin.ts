import { isJsonObject } from '../../json/is-json-object.ts';
import { pointerTokens } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { DocumentPlace } from '../document-place.ts';
import type { TextLocation } from '../located-problem.ts';
import { locatePointer, type TextPlaces } from '../text-places.ts';
import type { TextOrigins } from './text-origins.ts';

/**
 * The line of a place that is named as the user finds it, in a document put together from several texts.
 *
 * @param input.root - the document as it was put together
 * @returns undefined where nothing on the way to the place is part of the document
 */
export function locateOrigin(input: {
  readonly root: JsonValue;
  readonly place: DocumentPlace;
  readonly origins: TextOrigins;
  readonly places: TextPlaces;
}): TextLocation | undefined {
  const { root, place, origins, places } = input;
  let nearest: { readonly value: JsonValue; readonly depth: number } | undefined;
  const seen = new Set<JsonValue>();

  function visit(value: JsonValue): void {
    if ((!Array.isArray(value) && !isJsonObject(value)) || seen.has(value)) {
      return;
    }
    seen.add(value);
    const origin = origins.get(value);
    const isOnTheWay =
      origin !== undefined &&
      origin.file === place.file &&
      (place.pointer === origin.pointer || place.pointer.startsWith(`${origin.pointer}/`));
    const depth = isOnTheWay ? pointerTokens(origin.pointer).length : -1;
    if (depth > (nearest?.depth ?? -1)) {
      nearest = { value, depth };
    }
    Object.values(value).forEach(visit);
  }

  visit(root);
  if (nearest === undefined) {
    return undefined;
  }
  const { value, depth } = nearest;
  const rest = place.pointer.split('/').slice(depth + 1);
  return locatePointer({ places, root: value, pointer: rest.map((token) => `/${token}`).join('') });
}
