import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { valueKey } from '../walk.ts';
import { fitsBounds } from './number.ts';
import { lengthsOf } from './text.ts';

/** Returns the merged schema of a part of a schema. */
type Merge = (schema: JsonObject) => JsonObject;

function* otherTexts(text: string, schema: JsonObject): Generator<string> {
  const { longest } = lengthsOf(schema);
  if ('pattern' in schema || 'format' in schema) return;
  for (let count = 2; String(count).length <= longest; count += 1) {
    yield [...text].slice(0, longest - String(count).length).join('') + String(count);
  }
}

/** Yields the numbers on both sides of a number, nearest first, within the bounds of the schema. */
function* otherNumbers(value: number, schema: JsonObject): Generator<number> {
  const step = Number(schema['multipleOf'] ?? 1);
  for (let distance = step, isInside = step > 0; isInside; distance += step) {
    const near = [value + distance, value - distance].map((each) => Number(each.toPrecision(15)));
    const inside = near.filter((each) => fitsBounds(each, schema));
    yield* inside;
    isInside = inside.length > 0;
  }
}

/** Yields values that differ from a value and probably fit the same merged schema. */
function* otherValues(value: JsonValue, schema: JsonObject, merge: Merge): Generator<JsonValue> {
  const { enum: listed, properties } = schema;
  if ('const' in schema) return;
  if (Array.isArray(listed)) yield* listed;
  else if (typeof value === 'string') yield* otherTexts(value, schema);
  else if (typeof value === 'number') yield* otherNumbers(value, schema);
  else if (typeof value === 'boolean') yield !value;
  else if (isJsonObject(value) && isJsonObject(properties)) {
    for (const [name, property] of Object.entries(properties)) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member === undefined || !isJsonObject(property)) continue;
      for (const other of otherValues(member, merge(property), merge)) yield { ...value, [name]: other };
    }
  }
}

/**
 * Returns the distinct items of a list, and generates more up to the wanted number. There may be fewer if no more are
 * found.
 *
 * @param merge - merges the schema of a part of the items
 */
export function distinctItems(
  items: readonly JsonValue[],
  { wanted, schema, merge }: { readonly wanted: number; readonly schema: JsonValue; readonly merge: Merge },
): JsonValue[] {
  const distinct = new Map(items.map((item) => [valueKey(item), item]));
  const [first] = items;
  if (first === undefined || distinct.size >= wanted || !isJsonObject(schema)) return [...distinct.values()];
  // Numbers above 2^53 may not change.
  let left = 2 * wanted + 100;
  for (const other of otherValues(first, merge(schema), merge)) {
    distinct.set(valueKey(other), other);
    left -= 1;
    if (distinct.size >= wanted || left === 0) break;
  }
  return [...distinct.values()];
}
