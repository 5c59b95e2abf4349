import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type JsonSchema, schemaConjuncts } from '../schema/walk.ts';

type Conjuncts = readonly JsonObject[];

/** The maximum depth: schemas can be recursive. */
const deepest = 8;

/** Removes the properties of an example that its schema does not require, at any depth. */
export function withoutOptional(
  root: JsonSchema,
  value: JsonValue,
  { conjuncts, depth = 0 }: { readonly conjuncts: Conjuncts | undefined; readonly depth?: number },
): JsonValue {
  if (conjuncts === undefined || depth > deepest) return value;
  const strip = (member: JsonValue, part: Conjuncts | undefined): JsonValue =>
    withoutOptional(root, member, { conjuncts: part, depth: depth + 1 });
  const partsOf = (key: string, name: string): Conjuncts | undefined => {
    const found = conjuncts.flatMap((schema) => {
      const holder = key === 'items' ? schema : schema[key];
      const part = isJsonObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
      return part === undefined ? [] : (schemaConjuncts(root, part) ?? []);
    });
    return found.length === 0 ? undefined : found;
  };
  if (Array.isArray(value)) {
    return value.map((item) => strip(item, partsOf('items', 'items')));
  }
  if (
    !isJsonObject(value) ||
    conjuncts.some(({ oneOf, anyOf }) => oneOf !== undefined || anyOf !== undefined)
  )
    return value;
  const required = new Set(conjuncts.flatMap(({ required: names }) => (Array.isArray(names) ? names : [])));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => required.has(name))
      .map(([name, member]) => [name, strip(member, partsOf('properties', name))]),
  );
}
