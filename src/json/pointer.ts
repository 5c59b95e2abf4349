import { isJsonObject, jsonEqual, type JsonObject, type JsonValue, setOwn } from './value.ts';

/** A place in a JSON document (RFC 6901): `/paths/~1orders/post`, and `''` for the whole. */
export type JsonPointer = string;

/** The pointer to a member of what another pointer names (RFC 6901 §3), by keys and indices that are not escaped. */
export function appendPointer(pointer: JsonPointer, ...tokens: readonly (string | number)[]): JsonPointer {
  let path = pointer;
  for (const token of tokens) {
    path += `/${typeof token === 'number' ? token : escapeToken(token)}`;
  }
  return path;
}

/** Few keys hold what is to be escaped, and places are named several times for each exchange. */
function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/')
    ? token.replaceAll('~', '~0').replaceAll('/', '~1')
    : token;
}

/** Returns whether a text is a JSON Pointer: it is empty or starts with a slash, and each `~` starts an escape (RFC 6901 §3). */
export function isPointer(text: string): text is JsonPointer {
  return (text === '' || text.startsWith('/')) && !/~(?![01])/u.test(text);
}

/** The keys and indices that a pointer is made of, not escaped (RFC 6901 §4). */
export function pointerTokens(pointer: JsonPointer): readonly string[] {
  const tokens = pointer.split('/').slice(1);
  return pointer.includes('~') ? tokens.map(readToken) : tokens;
}

function readToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

/** What stands at a place (RFC 6901 §4); undefined where nothing does. */
export function resolvePointer(root: JsonValue, pointer: JsonPointer): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  // Whoever reads a document asks for a hundred thousand places, so that no list is made of each.
  for (let start = pointer.indexOf('/') + 1; start > 0 && value !== undefined;) {
    const end = pointer.indexOf('/', start);
    const token = readToken(end === -1 ? pointer.slice(start) : pointer.slice(start, end));
    if (Array.isArray(value)) {
      value = /^(?:0|[1-9]\d*)$/u.test(token) ? value[Number(token)] : undefined;
    } else {
      value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
    }
    start = end + 1;
  }
  return value;
}

/** What stands under the names of members, one below the other; undefined where nothing does. */
export function memberAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let member = value;
  for (const name of path) {
    member = isJsonObject(member) && Object.hasOwn(member, name) ? member[name] : undefined;
  }
  return member;
}

/** A copy of an envelope with something under some names, one below the other. */
export function nestMember(
  envelope: JsonValue,
  [name, ...rest]: readonly string[],
  value: JsonValue,
): JsonValue {
  if (name === undefined) return value;
  const copy: JsonObject = isJsonObject(envelope) ? { ...envelope } : {};
  setOwn(copy, name, nestMember(Object.hasOwn(copy, name) ? (copy[name] ?? null) : {}, rest, value));
  return copy;
}

/**
 * The place that a reference such as `#/components/schemas/A` leads to (RFC 6901 §6): its fragment, percent-decoded.
 * Undefined where it leads out of the document or is no pointer.
 */
export function toInternalPointer(reference: string): JsonPointer | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}

/** Whether two values are objects that have the same under a name. */
export function holdsSame(one: JsonValue | undefined, two: JsonValue | undefined, name: string): boolean {
  const [left, right] = [one, two].map((value) => memberAt(value, [name]));
  return left !== undefined && right !== undefined && jsonEqual(left, right);
}
