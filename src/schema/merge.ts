import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type JsonSchema, resolveLocal } from './walk.ts';

const named = ['properties', 'patternProperties'];

const both = (left: JsonValue, right: JsonValue): JsonValue => ({ allOf: [left, right] });

function mergeNamed(left: JsonObject, right: JsonObject): JsonObject {
  const shared = Object.keys(right).filter((name) => Object.hasOwn(left, name));
  return {
    ...left,
    ...right,
    ...Object.fromEntries(shared.map((name) => [name, both(left[name] ?? true, right[name] ?? true)])),
  };
}

function mergeKeyword(keyword: string, left: JsonValue, right: JsonValue): JsonValue {
  if (named.includes(keyword) && isJsonObject(left) && isJsonObject(right)) return mergeNamed(left, right);
  if (keyword === 'required' && Array.isArray(left) && Array.isArray(right)) {
    return [...new Set([...left, ...right])];
  }
  return keyword === 'items' ? both(left, right) : right;
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged: JsonObject = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const former = merged[keyword];
    merged[keyword] = former === undefined ? value : mergeKeyword(keyword, former, value);
  }
  return merged;
}

/** Returns the branch to generate a value for: the first that allows more than null. */
function firstBranch(branches: JsonValue | undefined): readonly JsonValue[] {
  const list = Array.isArray(branches) ? branches : [];
  const isNull = (schema: JsonValue): boolean =>
    isJsonObject(schema) && (schema['type'] === 'null' || schema['const'] === null);
  return [...list.filter((branch) => !isNull(branch)), ...list].slice(0, 1);
}

/**
 * Merges all constraints on the top level of a value into one object: `$ref`, `allOf` and the first branch of `oneOf`
 * and `anyOf`. Deeper levels are unchanged.
 *
 * Used to generate values. Only the compiled schema decides whether a value is valid.
 */
export function mergeSchema(root: JsonObject, schema: JsonSchema): JsonObject {
  function fold(part: JsonValue, seen: readonly JsonObject[]): JsonObject {
    if (!isJsonObject(part) || seen.includes(part)) return {};
    // Most schemas have nothing to merge.
    if (!('$ref' in part || 'allOf' in part || 'oneOf' in part || 'anyOf' in part)) return part;
    const { $ref: reference, allOf, oneOf, anyOf, ...own } = part;
    const target = typeof reference === 'string' ? resolveLocal(root, reference) : undefined;
    const parts = [
      ...(target === undefined ? [] : [target]),
      ...(Array.isArray(allOf) ? allOf : []),
      ...firstBranch(oneOf),
      ...firstBranch(anyOf),
    ];
    return merge(
      parts.reduce<JsonObject>((merged, each) => merge(merged, fold(each, [...seen, part])), {}),
      own,
    );
  }
  return fold(schema, []);
}

/** A schema that refers to nothing but itself, folded; see {@link mergeSchema}. */
export function foldSchema(schema: JsonSchema): JsonObject {
  return mergeSchema(isJsonObject(schema) ? schema : {}, schema);
}
