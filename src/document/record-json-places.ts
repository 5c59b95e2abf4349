import type { JsonValue } from '../json/json-value.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { SourceText } from './source-text.ts';
import type { TextPlaces } from './text-places.ts';

const space = /[ \t\n\r]*/uy;
const string = /"(?:[^"\\]|\\.)*"/uy;
const other = /[^,\]}\s]+/uy;

/**
 * Notes where each member of a value stands in the JSON text that it was read from.
 *
 * @param input.source - a text known to be JSON
 * @param input.root - its value; of equal keys the last counts
 */
export function recordJsonPlaces(input: {
  readonly source: SourceText;
  readonly root: JsonValue;
  readonly places: TextPlaces;
}): void {
  const { source, root, places } = input;
  const { text } = source;
  let at = 0;

  function take(pattern: RegExp): string {
    pattern.lastIndex = at;
    const [taken = ''] = pattern.exec(text) ?? [];
    at += taken.length;
    return taken;
  }

  /** Reads the members between brackets; each is scanned by the function given. */
  function takeMembers(
    value: JsonValue | undefined,
    close: string,
    takeMember: (members: Map<string, number>) => void,
  ): void {
    const start = at;
    const members = new Map<string, number>();
    at += 1;
    take(space);
    while (text[at] !== close) {
      takeMember(members);
      take(space);
      if (text[at] === ',') {
        at += 1;
        take(space);
      }
    }
    at += 1;
    if (typeof value === 'object' && value !== null) {
      places.set(value, { source, start, members });
    }
  }

  function takeValue(value: JsonValue | undefined): void {
    take(space);
    switch (text[at]) {
      case '{': {
        const object = isJsonObject(value) ? value : undefined;
        takeMembers(object, '}', (members) => {
          const offset = at;
          // `as`: JSON.parse is typed `any`, and a JSON string is a string.
          const key = JSON.parse(take(string)) as string;
          members.set(key, offset);
          take(space);
          at += 1;
          takeValue(object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined);
        });
        return;
      }
      case '[': {
        const array = Array.isArray(value) ? value : undefined;
        takeMembers(array, ']', (members) => {
          const index = members.size;
          members.set(String(index), at);
          takeValue(array?.[index]);
        });
        return;
      }
      case '"':
        take(string);
        return;
      default:
        take(other);
    }
  }

  takeValue(root);
}
