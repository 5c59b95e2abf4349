import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';

/** A place in a value and what stands there. */
export interface ValuePlace {
  readonly at: JsonPointer;
  readonly value: JsonValue;
}

/** Places past this many are of arrays and objects that stand deep in others. */
const mostPlaces = 200;

/** Every place in a value, the value itself first, the outer before the inner. */
export function valuePlaces(value: JsonValue): readonly ValuePlace[] {
  const places: ValuePlace[] = [{ at: '', value }];
  for (let index = 0; index < places.length && places.length < mostPlaces; index += 1) {
    const place = places[index];
    const isParent = Array.isArray(place?.value) || isJsonObject(place?.value);
    if (place !== undefined && isParent) {
      for (const [key, member] of Object.entries(place.value ?? {})) {
        places.push({ at: appendPointer(place.at, key), value: member });
      }
    }
  }
  return places;
}
