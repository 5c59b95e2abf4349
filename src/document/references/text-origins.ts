import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer, type JsonPointer, pointerTokens } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { DocumentPlace } from '../document-place.ts';
import { resolvePointer } from '../resolve-pointer.ts';

/** The places of objects and arrays in the texts that they were read from; they keep them wherever they are put. */
export type TextOrigins = WeakMap<object, DocumentPlace>;

/**
 * Notes where each object and array of a text stands in it.
 *
 * @param input.file - what the text is called; undefined for the document itself
 */
export function recordOrigins(input: {
  readonly root: JsonValue;
  readonly file: string | undefined;
  readonly origins: TextOrigins;
}): void {
  const { root, file, origins } = input;
  function visit(value: JsonValue, pointer: JsonPointer): void {
    if (!Array.isArray(value) && !isJsonObject(value)) {
      return;
    }
    origins.set(value, file === undefined ? { pointer } : { file, pointer });
    for (const [key, member] of Object.entries(value)) {
      visit(member, appendPointer(pointer, key));
    }
  }
  visit(root, '');
}

/**
 * The place that a place of a document put together from several texts has in its own text.
 *
 * @param input.root - the document as it was put together
 */
export function findOrigin(input: {
  readonly root: JsonValue;
  readonly pointer: JsonPointer;
  readonly origins: TextOrigins;
}): DocumentPlace {
  const { root, pointer, origins } = input;
  let place: DocumentPlace = { pointer: '' };
  let value: JsonValue | undefined = root;
  for (const token of pointerTokens(pointer)) {
    value = value === undefined ? undefined : resolvePointer(value, appendPointer('', token));
    const origin = typeof value === 'object' && value !== null ? origins.get(value) : undefined;
    place = origin ?? { ...place, pointer: appendPointer(place.pointer, token) };
  }
  return place;
}
