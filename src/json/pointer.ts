import { isJsonObject, jsonEqual, type JsonObject, type JsonValue, setOwn } from './value.ts';

/** A place in a JSON document (RFC 6901): `/paths/~1orders/post`, and `''` for the whole document. */
export type JsonPointer = string;

/** Appends keys and indices, which are not yet escaped, to a pointer (RFC 6901 §3). */
export function appendPointer(pointer: JsonPointer, ...tokens: readonly (string | number)[]): JsonPointer {
  let path = pointer;
  for (const token of tokens) {
    path += `/${typeof token === 'number' ? token : escapeToken(token)}`;
  }
  return path;
}

/** Few keys need escapes, and each exchange needs several pointers. */
function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/')
    ? token.replaceAll('~', '~0').replaceAll('/', '~1')
    : token;
}

/** Returns whether a text is a JSON Pointer: empty or with a leading slash, and each `~` an escape (RFC 6901 §3). */
export function isPointer(text: string): text is JsonPointer {
  return (text === '' || text.startsWith('/')) && !/~(?![01])/u.test(text);
}

/** Returns the unescaped keys and indices of a pointer (RFC 6901 §4). */
export function pointerTokens(pointer: JsonPointer): readonly string[] {
  const tokens = pointer.split('/').slice(1);
  return pointer.includes('~') ? tokens.map(readToken) : tokens;
}

function readToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

/** Returns the value at a pointer (RFC 6901 §4); undefined if there is none. */
export function resolvePointer(root: JsonValue, pointer: JsonPointer): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  // Reading a document resolves a hundred thousand pointers. This loop creates no list of tokens for each.
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

/** Returns the member at a path of nested names; undefined if there is none. */
export function memberAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let member = value;
  for (const name of path) {
    member = isJsonObject(member) && Object.hasOwn(member, name) ? member[name] : undefined;
  }
  return member;
}

/** Returns a copy of an envelope with a value at a path of nested names. */
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
 * Returns the pointer of a reference like `#/components/schemas/A` (RFC 6901 §6): its fragment, percent-decoded.
 * Returns undefined if it leads out of the document or is not a pointer.
 */
export function toInternalPointer(reference: string): JsonPointer | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}

/** Returns whether two values are objects with an equal member of this name. */
export function holdsSame(one: JsonValue | undefined, two: JsonValue | undefined, name: string): boolean {
  const [left, right] = [one, two].map((value) => memberAt(value, [name]));
  return left !== undefined && right !== undefined && jsonEqual(left, right);
}
