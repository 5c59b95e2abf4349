import { isPointer, pointerTokens, resolvePointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { shorten } from '../message.ts';

/** Applies a merge patch without changing the target (RFC 7396 §2). */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const former = isJsonObject(target) ? target : {};
  const merged: JsonObject = {};
  // One pass over each object, without lists of members: a body may have very many.
  for (const name in former) {
    const change = Object.hasOwn(patch, name) ? patch[name] : undefined;
    const member = former[name] ?? null;
    if (change !== null)
      setOwn(merged, name, change === undefined ? member : applyMergePatch(member, change));
  }
  for (const name in patch) {
    const value = patch[name] ?? null;
    if (value !== null && !Object.hasOwn(former, name))
      setOwn(merged, name, applyMergePatch(undefined, value));
  }
  return merged;
}

/**
 * Applies all operations of a JSON Patch or none, without changing the target (RFC 6902 §4 and §5).
 *
 * @returns in `problem`, why an operation does not apply, as words without a full stop
 */
export function applyJsonPatch(
  target: JsonValue,
  operations: readonly JsonValue[],
): { readonly value: JsonValue } | { readonly problem: string } {
  const patched: Patched = { root: target, left: mostWork };
  patched.root = copyOf(target, unbounded, Infinity) ?? target;
  for (const [index, operation] of operations.entries()) {
    if (!isJsonObject(operation) || !applyOperation(patched, operation)) {
      const why =
        patched.left < 0 ? 'copies or moves more than one patch may' : explain(patched.root, operation);
      return { problem: `operation ${index + 1}, ${shorten(stringifyJson(operation))}, ${why}` };
    }
  }
  return { value: patched.root };
}

/** A whole value that is changed in place. */
interface Patched {
  root: JsonValue;
  /** The number of values and characters that may still be copied: each copy may double the value. */
  left: number;
}

const mostWork = 262_144;
/** The limit for values in the patch: the size of the body limits them already. */
const unbounded = { left: Infinity };
/** The number of list items that move in the time of one copy. Adding or removing an item moves those after it. */
const movedPerCopy = 256;
/** The maximum depth of JSON that the parser accepts: deeper values could not be read from a store. */
const deepest = 500;

const isPlace = (text: JsonValue | undefined): text is string => typeof text === 'string' && isPointer(text);

/** Returns why an operation does not apply, as the end of a sentence. */
function explain(root: JsonValue, operation: JsonValue): string {
  const { op, path, from, value } = isJsonObject(operation) ? operation : {};
  const source = op === 'copy' ? from : path;
  // The value to move may already have been removed.
  if (!isPlace(source) || op === 'add' || op === 'move') return 'does not apply';
  const found = resolvePointer(root, source);
  if (found === undefined) return `does not apply: there is nothing at ${shorten(source)}`;
  if (op !== 'test' || value === undefined) return 'does not apply';
  const [wanted, there] = [value, found].map((each) => shorten(stringifyJson(each)));
  return `does not apply: at ${shorten(source) || 'the root'} ${wanted} was expected, and ${there} found`;
}

/** Applies an operation; false if it does not apply. */
function applyOperation(patched: Patched, { op, path, from, value }: JsonObject): boolean {
  if (!isPlace(path)) return false;
  const place = pointerTokens(path);
  if (op === 'remove') return remove(patched, place);
  if (op === 'add') return value !== undefined && add(patched, place, { value });
  if (op === 'replace') return value !== undefined && replace(patched, place, value);
  const source = op === 'test' ? path : from;
  const there = isPlace(source) ? resolvePointer(patched.root, source) : undefined;
  if (there === undefined || !isPlace(source)) return false;
  if (op === 'test') return value !== undefined && jsonEqual(there, value);
  // A value cannot be moved into a part of itself (RFC 6902 §4.4).
  const isMoved = op === 'move' && !path.startsWith(`${source}/`) && remove(patched, pointerTokens(source));
  return (isMoved || op === 'copy') && add(patched, place, { value: there, work: patched });
}

/** Returns the container of the last token of a path; undefined if there is none. */
function holderOf({ root }: Patched, place: readonly string[]): JsonObject | JsonValue[] | undefined {
  let holder: JsonValue | undefined = root;
  for (const token of place.slice(0, -1)) {
    if (Array.isArray(holder)) holder = holder[indexOf(token)];
    else holder = isJsonObject(holder) && Object.hasOwn(holder, token) ? holder[token] : undefined;
  }
  return Array.isArray(holder) || isJsonObject(holder) ? holder : undefined;
}

/** Parses an array index; -1 if the token is not an index (RFC 6901 §4). */
function indexOf(token: string): number {
  return /^(?:0|[1-9]\d*)$/u.test(token) ? Number(token) : -1;
}

/** Returns whether the remaining work is enough to move the items after an index. */
function mayMove(patched: Patched, list: readonly JsonValue[], index: number): boolean {
  patched.left -= (list.length - index) / movedPerCopy;
  return patched.left >= 0;
}

/** Adds a copy of a value. Later operations must not change the patch, which may be applied again, or the source. */
function add(
  patched: Patched,
  place: readonly string[],
  { value, work = unbounded }: { readonly value: JsonValue; readonly work?: { left: number } },
): boolean {
  const copy = copyOf(value, work, deepest - place.length);
  if (copy === undefined) return false;
  const token = place.at(-1);
  if (token === undefined) {
    patched.root = copy;
    return true;
  }
  const holder = holderOf(patched, place);
  if (Array.isArray(holder)) {
    const index = token === '-' ? holder.length : indexOf(token);
    if (index < 0 || index > holder.length || !mayMove(patched, holder, index)) return false;
    holder.splice(index, 0, copy);
    return true;
  }
  if (holder !== undefined) setOwn(holder, token, copy);
  return holder !== undefined;
}

function replace(patched: Patched, place: readonly string[], value: JsonValue): boolean {
  const token = place.at(-1);
  const holder = holderOf(patched, place);
  // A member that is replaced keeps its position.
  const isMember = token === undefined || (isJsonObject(holder) && Object.hasOwn(holder, token));
  const isCleared = isMember || (Array.isArray(holder) && remove(patched, place));
  return isCleared && add(patched, place, { value });
}

function remove(patched: Patched, place: readonly string[]): boolean {
  const holder = holderOf(patched, place);
  const token = place.at(-1);
  if (holder === undefined || token === undefined) return false;
  if (!Array.isArray(holder)) return Object.hasOwn(holder, token) && Reflect.deleteProperty(holder, token);
  const index = indexOf(token);
  if (index < 0 || index >= holder.length || !mayMove(patched, holder, index)) return false;
  holder.splice(index, 1);
  return true;
}

/** Returns a deep copy; undefined if the value has more levels or more content than permitted. */
function copyOf(value: JsonValue, work: { left: number }, levels: number): JsonValue | undefined {
  work.left -= typeof value === 'string' ? value.length + 1 : 1;
  if (work.left < 0 || levels < 0) return undefined;
  if (Array.isArray(value)) {
    const copy: JsonValue[] = [];
    for (const item of value) {
      const own = copyOf(item, work, levels - 1);
      if (own === undefined) return undefined;
      copy.push(own);
    }
    return copy;
  }
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const name in value) {
    work.left -= name.length;
    const own = copyOf(value[name] ?? null, work, levels - 1);
    if (own === undefined) return undefined;
    setOwn(copy, name, own);
  }
  return copy;
}
