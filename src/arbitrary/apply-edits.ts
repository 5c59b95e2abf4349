import { isJsonObject } from '../json/is-json-object.ts';
import { pointerTokens } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import { jsonTokens } from './json-tokens.ts';
import { plainKey } from './key-slot.ts';
import type { PlainBody } from './plain-body.ts';

/** A body that was changed. */
export interface EditedBody {
  readonly value: JsonValue;
  /** The tokens of its text. */
  readonly tokens: Body;
}

/** @returns undefined where the value has no such place */
function editValue(value: JsonValue, path: readonly string[], edit: BodyEdit): JsonValue | undefined {
  const [first, ...rest] = path;
  if (first === undefined) {
    return edit.kind === 'put' ? edit.value : undefined;
  }
  const isRemoved = rest.length === 0 && edit.kind === 'remove';
  if (Array.isArray(value)) {
    const index = Number(first);
    const item = value[index];
    if (isRemoved) {
      return item === undefined ? undefined : value.toSpliced(index, 1);
    }
    const changed = item === undefined ? undefined : editValue(item, rest, edit);
    return changed === undefined ? undefined : value.with(index, changed);
  }
  if (!isJsonObject(value)) {
    return undefined;
  }
  const member = Object.hasOwn(value, first) ? value[first] : undefined;
  if (isRemoved) {
    return member === undefined
      ? undefined
      : Object.fromEntries(Object.entries(value).filter(([key]) => key !== first));
  }
  // The last step may name a property that is not there yet.
  const changed = member === undefined && rest.length > 0 ? undefined : editValue(member ?? null, rest, edit);
  return changed === undefined ? undefined : { ...value, [first]: changed };
}

/**
 * Changes a value of a body, one edit after the other; the key keeps its slot where no edit touches it.
 *
 * @param base - a value of the body
 * @returns undefined where an edit has no place in the value
 */
export function applyEdits(
  body: PlainBody,
  base: JsonValue,
  edits: readonly BodyEdit[],
): EditedBody | undefined {
  let value: JsonValue | undefined = base;
  const raw = new Map<string, Body>();
  if (body.key !== undefined) {
    raw.set(body.key.pointer, [plainKey]);
  }
  for (const edit of edits) {
    value = value === undefined ? undefined : editValue(value, pointerTokens(edit.at), edit);
    raw.delete(edit.at);
    if (edit.kind === 'put' && edit.text !== undefined) {
      raw.set(edit.at, edit.text);
    }
  }
  return value === undefined ? undefined : { value, tokens: jsonTokens(value, raw) };
}
