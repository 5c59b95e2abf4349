import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';

/**
 * Makes one value like another, but for some of the places where they differ.
 *
 * @param input.kept - the differences that stay as they are in `value`
 * @returns undefined where that leaves nothing
 */
export function blendValues(input: {
  readonly value: JsonValue | undefined;
  readonly model: JsonValue | undefined;
  readonly kept: ReadonlySet<JsonPointer>;
  readonly at?: JsonPointer;
}): JsonValue | undefined {
  const { value, model, kept, at = '' } = input;
  if (!isJsonObject(value) || !isJsonObject(model)) {
    return kept.has(at) ? value : model;
  }
  const names = new Set([...Object.keys(model), ...Object.keys(value)]);
  const members = [...names].flatMap((name) => {
    const blended = blendValues({
      value: Object.hasOwn(value, name) ? value[name] : undefined,
      model: Object.hasOwn(model, name) ? model[name] : undefined,
      kept,
      at: appendPointer(at, name),
    });
    return blended === undefined ? [] : [[name, blended] as const];
  });
  return Object.fromEntries(members);
}
