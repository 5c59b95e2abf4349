import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { valueKey } from '../../schema/walk.ts';
import { fitsBounds } from './sample-number.ts';
import { lengthsOf } from './sample-text.ts';

/** Returns the merged schema of a part of a schema. */
type Merge = (schema: JsonObject) => JsonObject;

/** Texts of a format, numbered. */
const numbered: ReadonlyMap<unknown, (text: string, count: number) => string> = new Map([
  ['email', (text: string, count: number) => text.replace('@', `${count}@`)],
  ['uri', (text: string, count: number) => `${text}${count}`],
  ['url', (text: string, count: number) => `${text}${count}`],
  ['uuid', (text: string, count: number) => text.slice(0, -8) + count.toString(16).padStart(8, '0')],
  ['date', (text: string, count: number) => dayAfter(text, count).slice(0, 10)],
  ['date-time', (text: string, count: number) => `${dayAfter(text, count).slice(0, 19)}Z`],
]);

function dayAfter(time: string, days: number): string {
  const start = Date.parse(time);
  return new Date((Number.isNaN(start) ? 0 : start) + days * 86_400_000).toISOString();
}

/** More numbered texts are of no use to anybody. */
const mostTexts = 100_000;

function* otherTexts(text: string, schema: JsonObject): Generator<string> {
  const { shortest, longest } = lengthsOf(schema);
  const write = numbered.get(schema['format']);
  if ('pattern' in schema || (write === undefined && 'format' in schema)) return;
  for (let count = 2; count < mostTexts; count += 1) {
    const suffix = longest > text.length + 7 ? ` ${count}` : String(count);
    if (suffix.length > longest) return;
    const other = write?.(text, count) ?? [...text].slice(0, longest - suffix.length).join('') + suffix;
    if (other.length >= shortest) yield other;
  }
}

/** The numbers on both sides of a number, nearest first, within the bounds of the schema. */
function* otherNumbers(value: number, schema: JsonObject): Generator<number> {
  const step = Number(schema['multipleOf'] ?? 1);
  for (let distance = step, isInside = true; isInside; distance += step) {
    const near = [value + distance, value - distance].map((each) => Number(each.toPrecision(12)));
    const inside = near.filter((each) => fitsBounds(each, schema) && Math.abs(each) < 2 ** 53);
    yield* inside;
    isInside = inside.length > 0;
  }
}

/** Yields values that differ from a value and most likely fit the same schema, merged. */
function* otherValues(value: JsonValue, schema: JsonObject, merge: Merge): Generator<JsonValue> {
  const { enum: listed, properties, items } = schema;
  if (Array.isArray(listed)) {
    yield* listed;
  } else if ('const' in schema) {
    return;
  } else if (typeof value === 'string') {
    yield* otherTexts(value, schema);
  } else if (typeof value === 'number') {
    yield* otherNumbers(value, schema);
  } else if (typeof value === 'boolean') {
    yield !value;
  } else if (Array.isArray(value)) {
    const [first, ...rest] = value;
    if (first === undefined || !isJsonObject(items)) return;
    for (const other of otherValues(first, merge(items), merge)) yield [other, ...rest];
  } else if (isJsonObject(value) && isJsonObject(properties)) {
    for (const [name, member] of Object.entries(value)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const others = isJsonObject(property) ? otherValues(member, merge(property), merge) : [];
      for (const other of others) yield { ...value, [name]: other };
    }
  }
}

/**
 * Returns the different items of a list, and further ones until there are as many as wanted. Fewer if the schema of the
 * items leaves no more, or none is found.
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
  for (const other of otherValues(first, merge(schema), merge)) {
    distinct.set(valueKey(other), other);
    if (distinct.size >= wanted) break;
  }
  return [...distinct.values()];
}
