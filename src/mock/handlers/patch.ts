import { pointerTokens, resolvePointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { valueKey } from '../../schema/walk.ts';
import { shorten } from '../message.ts';

/** Applies a merge patch; the target stays as it is (RFC 7396 §2). */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const merged: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      Reflect.deleteProperty(merged, name);
    } else {
      setOwn(merged, name, applyMergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, value));
    }
  }
  return merged;
}

/**
 * Applies the operations of a JSON Patch, all or none; the target stays as it is (RFC 6902 §4 and §5).
 *
 * @returns why an operation does not apply, as words without a full stop, in `problem`
 */
export function applyJsonPatch(
  target: JsonValue,
  operations: readonly JsonValue[],
): { readonly value: JsonValue } | { readonly problem: string } {
  const patched: Patched = { root: target, left: mostWork };
  patched.root = copyOf(target, { left: Infinity }) ?? target;
  for (const [index, operation] of operations.entries()) {
    if (!isJsonObject(operation) || !applyOperation(patched, operation)) {
      const why = patched.left < 0 ? 'leads to more than is kept' : explain(patched.root, operation);
      return { problem: `operation ${index + 1}, ${shorten(stringifyJson(operation))}, ${why}` };
    }
  }
  return { value: patched.root };
}

/** A whole value while it is changed in place. */
interface Patched {
  root: JsonValue;
  /** How many values and characters may still be copied and compared: each copy may double the whole. */
  left: number;
}

const mostWork = 1_048_576;
/** As deep as JSON is read: what lies deeper could not be read back from a store. */
const deepest = 500;

const isPointer = (text: JsonValue | undefined): text is string =>
  typeof text === 'string' && (text === '' || text.startsWith('/'));

/** Why an operation does not apply, as the end of a sentence. */
function explain(root: JsonValue, operation: JsonValue): string {
  const { op, path, from, value } = isJsonObject(operation) ? operation : {};
  const source = op === 'copy' ? from : path;
  // What was to be moved may have been taken out by now.
  if (!isPointer(source) || op === 'add' || op === 'move') return 'does not apply';
  const found = resolvePointer(root, source);
  if (found === undefined) return `does not apply: there is nothing at ${shorten(source)}`;
  if (op !== 'test' || value === undefined) return 'does not apply';
  const [wanted, there] = [value, found].map((each) => shorten(stringifyJson(each)));
  return `does not apply: at ${shorten(source) || 'the root'} ${wanted} was expected, and ${there} found`;
}

/** Whether it applies. */
function applyOperation(patched: Patched, { op, path, from, value }: JsonObject): boolean {
  if (!isPointer(path)) return false;
  const place = pointerTokens(path);
  if (op === 'remove') return remove(patched, place);
  if (op === 'add') return value !== undefined && add(patched, place, value);
  if (op === 'replace') return value !== undefined && replace(patched, place, value);
  const source = op === 'test' ? path : from;
  const there = isPointer(source) ? resolvePointer(patched.root, source) : undefined;
  if (there === undefined || !isPointer(source)) return false;
  if (op === 'test') return value !== undefined && isEqual(there, value, patched);
  const copy = copyOf(there, patched);
  if (copy === undefined) return false;
  if (op === 'copy') return add(patched, place, copy);
  // Nothing can be moved into a part of itself (RFC 6902 §4.4).
  if (op !== 'move' || path.startsWith(`${source}/`)) return false;
  return remove(patched, pointerTokens(source)) && add(patched, place, copy);
}

/** What holds the last token of a place; undefined where nothing does. */
function holderOf({ root }: Patched, place: readonly string[]): JsonObject | JsonValue[] | undefined {
  let holder: JsonValue | undefined = root;
  for (const token of place.slice(0, -1)) {
    if (Array.isArray(holder)) holder = holder[indexOf(token)];
    else holder = isJsonObject(holder) && Object.hasOwn(holder, token) ? holder[token] : undefined;
  }
  return Array.isArray(holder) || isJsonObject(holder) ? holder : undefined;
}

/** -1 for what is no index (RFC 6901 §4). */
function indexOf(token: string): number {
  return /^(?:0|[1-9]\d*)$/u.test(token) ? Number(token) : -1;
}

function add(patched: Patched, place: readonly string[], value: JsonValue): boolean {
  if (!isShallow(value, deepest - place.length)) return false;
  const token = place.at(-1);
  if (token === undefined) {
    patched.root = value;
    return true;
  }
  const holder = holderOf(patched, place);
  if (Array.isArray(holder)) {
    const index = token === '-' ? holder.length : indexOf(token);
    if (index < 0 || index > holder.length) return false;
    holder.splice(index, 0, value);
  } else if (holder !== undefined) {
    setOwn(holder, token, value);
  }
  return holder !== undefined;
}

function replace(patched: Patched, place: readonly string[], value: JsonValue): boolean {
  const token = place.at(-1);
  const holder = holderOf(patched, place);
  if (token === undefined || holder === undefined) return add(patched, place, value);
  if (!isShallow(value, deepest - place.length)) return false;
  if (Array.isArray(holder)) {
    const index = indexOf(token);
    if (index < 0 || index >= holder.length) return false;
    holder[index] = value;
    return true;
  }
  if (!Object.hasOwn(holder, token)) return false;
  setOwn(holder, token, value);
  return true;
}

function remove(patched: Patched, place: readonly string[]): boolean {
  const holder = holderOf(patched, place);
  const token = place.at(-1);
  if (holder === undefined || token === undefined) return false;
  if (!Array.isArray(holder)) return Object.hasOwn(holder, token) && Reflect.deleteProperty(holder, token);
  const index = indexOf(token);
  return index >= 0 && holder.splice(index, 1).length === 1;
}

const isContainer = (value: JsonValue): value is JsonObject | JsonValue[] =>
  Array.isArray(value) || isJsonObject(value);

function isShallow(value: JsonValue, depth: number): boolean {
  if (depth < 0) return false;
  return !isContainer(value) || Object.values(value).every((member) => isShallow(member, depth - 1));
}

/** A copy to the ground; undefined where there is more than may still be copied. */
function copyOf(value: JsonValue, work: { left: number }): JsonValue | undefined {
  work.left -= typeof value === 'string' ? value.length + 1 : 1;
  if (work.left < 0) return undefined;
  if (!isContainer(value)) return value;
  const copy: JsonObject | JsonValue[] = Array.isArray(value) ? [] : {};
  for (const [name, member] of Object.entries(value)) {
    work.left -= name.length;
    const own = copyOf(member, work);
    if (own === undefined) return undefined;
    if (Array.isArray(copy)) copy.push(own);
    else setOwn(copy, name, own);
  }
  return copy;
}

/** Whether two values are equal (RFC 6902 §4.6), without a look at the rest of what differs. */
function isEqual(left: JsonValue, right: JsonValue, work: { left: number }): boolean {
  work.left -= typeof left === 'string' ? left.length + 1 : 1;
  if (work.left < 0) return false;
  if (!isContainer(left) || !isContainer(right)) {
    return !isContainer(left) && !isContainer(right) && valueKey(left) === valueKey(right);
  }
  const names = Object.keys(left);
  return (
    Array.isArray(left) === Array.isArray(right) &&
    names.length === Object.keys(right).length &&
    Object.entries(left).every(([name, member]) => {
      const other = Array.isArray(right)
        ? right[Number(name)]
        : Object.hasOwn(right, name)
          ? right[name]
          : undefined;
      return other !== undefined && isEqual(member, other, work);
    })
  );
}
