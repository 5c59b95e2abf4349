import { pointerTokens, resolvePointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { valueKey } from '../../schema/walk.ts';
import { setOwn } from '../answer/sample-value.ts';
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
  let value = target;
  for (const operation of operations) {
    const next = isJsonObject(operation) ? applyOperation(value, operation) : undefined;
    if (next === undefined) return { problem: `${shorten(stringifyJson(operation))} does not apply` };
    value = next;
  }
  return { value };
}

const isPointer = (text: JsonValue | undefined): text is string =>
  typeof text === 'string' && (text === '' || text.startsWith('/'));

/** Undefined where it does not apply. */
function applyOperation(whole: JsonValue, operation: JsonObject): JsonValue | undefined {
  const { op, path, from, value } = operation;
  if (!isPointer(path)) return undefined;
  if (op === 'add' || op === 'replace') {
    return value === undefined ? undefined : changeAt(whole, pointerTokens(path), op, value);
  }
  if (op === 'remove') return changeAt(whole, pointerTokens(path), op);
  const there = resolvePointer(whole, op === 'test' ? path : isPointer(from) ? from : '/');
  if (there === undefined || (op !== 'test' && !isPointer(from))) return undefined;
  if (op === 'test') return value !== undefined && valueKey(there) === valueKey(value) ? whole : undefined;
  if (op === 'copy') return changeAt(whole, pointerTokens(path), 'add', there);
  // Nothing can be moved into a part of itself (RFC 6902 §4.4).
  if (op !== 'move' || !isPointer(from) || path.startsWith(`${from}/`)) return undefined;
  const rest = changeAt(whole, pointerTokens(from), 'remove');
  return rest === undefined ? undefined : changeAt(rest, pointerTokens(path), 'add', there);
}

/** A copy with a change at a place; undefined where there is no such place. */
function changeAt(
  target: JsonValue,
  [token, ...rest]: readonly string[],
  op: 'add' | 'replace' | 'remove',
  value?: JsonValue,
): JsonValue | undefined {
  if (token === undefined) return op === 'remove' ? undefined : value;
  const isList = Array.isArray(target);
  if (!isList && !isJsonObject(target)) return undefined;
  const isEnd = isList && token === '-' && op === 'add' && rest.length === 0;
  const index = isEnd ? target.length : /^(?:0|[1-9]\d*)$/u.test(token) ? Number(token) : -1;
  const isThere = isList ? index >= 0 && index < target.length : Object.hasOwn(target, token);
  const isAdded = rest.length === 0 && op === 'add' && (!isList || index === target.length);
  if ((!isThere && !isAdded) || (isList && index < 0)) return undefined;
  if (isList) {
    const copy: JsonValue[] = [...target];
    if (rest.length === 0 && op !== 'replace') {
      copy.splice(index, op === 'remove' ? 1 : 0, ...(value === undefined ? [] : [value]));
      return copy;
    }
    const changed = changeAt(target[index] ?? null, rest, op, value);
    if (changed === undefined) return undefined;
    copy[index] = changed;
    return copy;
  }
  const copy: JsonObject = { ...target };
  if (rest.length === 0 && op === 'remove') {
    Reflect.deleteProperty(copy, token);
    return copy;
  }
  const changed = rest.length === 0 ? value : changeAt(target[token] ?? null, rest, op, value);
  if (changed === undefined) return undefined;
  setOwn(copy, token, changed);
  return copy;
}
