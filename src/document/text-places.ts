import { appendPointer, type JsonPointer, pointerTokens } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { TextLocation } from './located-problem.ts';
import { resolvePointer } from './resolve-pointer.ts';
import type { SourceText } from './source-text.ts';

/** Where the members of an object or array stand in their text: by key or index, offsets in UTF-16 code units. */
export interface MemberPlaces {
  readonly source: SourceText;
  readonly start: number;
  readonly members: ReadonlyMap<string, number>;
}

/**
 * The places of all objects and arrays that were read. They hang on the values themselves, so that a value
 * put into another document keeps its place.
 */
export type TextPlaces = WeakMap<object, MemberPlaces>;

/** The line and column of an offset. */
export function locateOffset({ file, text }: SourceText, offset: number): TextLocation {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { file, line, column: offset - before.lastIndexOf('\n') };
}

/**
 * Where a member stands: its key, or the item of an array. For a place that there is not, that of the last
 * thing on the way to it.
 *
 * @returns undefined where the whole was not read from a text
 */
export function locatePointer(input: {
  readonly places: TextPlaces;
  readonly root: JsonValue;
  readonly pointer: JsonPointer;
}): TextLocation | undefined {
  const { places, root, pointer } = input;
  let value: JsonValue | undefined = root;
  const whole = placesOf(places, root);
  let location = whole === undefined ? undefined : { source: whole.source, offset: whole.start };
  for (const token of pointerTokens(pointer)) {
    const around = placesOf(places, value);
    const offset = around?.members.get(token);
    if (around === undefined || offset === undefined) {
      break;
    }
    location = { source: around.source, offset };
    value = value === undefined ? undefined : resolvePointer(value, appendPointer('', token));
  }
  return location === undefined ? undefined : locateOffset(location.source, location.offset);
}

function placesOf(places: TextPlaces, value: JsonValue | undefined): MemberPlaces | undefined {
  return typeof value === 'object' && value !== null ? places.get(value) : undefined;
}
