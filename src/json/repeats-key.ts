import { isJsonObject } from './is-json-object.ts';
import type { JsonValue } from './json-value.ts';

/** Every member of an object has one colon of its own, outside all strings (RFC 8259 §4). */
function countWrittenMembers(text: string): number {
  let colons = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22) {
      inString = !inString;
    } else if (inString && code === 0x5c) {
      index += 1;
    } else if (!inString && code === 0x3a) {
      colons += 1;
    }
  }
  return colons;
}

function countMembers(value: JsonValue): number {
  let members = 0;
  // No recursion: the value may be nested as deep as the text was long.
  const left: JsonValue[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const inner = Array.isArray(next) ? next : isJsonObject(next) ? Object.values(next) : [];
    members += Array.isArray(next) ? 0 : inner.length;
    // No spread: an array may have more items than a call may have arguments.
    inner.forEach((item) => left.push(item));
  }
  return members;
}

/**
 * Whether some object of a JSON text names a key twice. It costs a look at each character, many times less
 * than a reader that keeps places.
 *
 * @param value - what JSON.parse made of the text: of members with one name it kept a single one
 */
export function repeatsKey(text: string, value: JsonValue): boolean {
  return countWrittenMembers(text) > countMembers(value);
}
