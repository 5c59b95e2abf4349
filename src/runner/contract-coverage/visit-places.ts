import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { jsonTypeOf } from '../../schema/json-type-of.ts';
import { resolveLocal } from '../../schema/resolve-local.ts';

/** A value of many parts tells in its first ones what the others would. */
const mostPlaces = 500;

/** Whether a branch is one that a valid value of this shape may have taken. */
function mayFit(branch: JsonValue, value: JsonValue): boolean {
  if (!isJsonObject(branch)) {
    return branch === true;
  }
  const { type, required } = branch;
  const own = jsonTypeOf(value);
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const isOfType =
    types.length === 0 || types.includes(own) || (own === 'number' && types.includes('integer'));
  const lacks = (name: JsonValue): boolean =>
    typeof name === 'string' && isJsonObject(value) && !Object.hasOwn(value, name);
  return isOfType && !(Array.isArray(required) && required.some(lacks));
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}

/** A place of a schema, and the part of a value that it judges. */
export interface Visit {
  readonly place: JsonPointer;
  readonly value: JsonValue;
  /** Where the part stands in the whole value. */
  readonly at: JsonPointer;
}

/**
 * Visits the places of a schema that a value comes to, with the part of the value that each judges. Of the branches of `anyOf` and `oneOf` it takes those that fit by type and required properties; it does not go
 * into `not` and `if`.
 *
 * @param root - standing alone
 */
export function visitPlaces(root: JsonSchema, whole: JsonValue, visitor: (visit: Visit) => void): void {
  let left = mostPlaces;

  function visit(schema: JsonValue | undefined, { place, value, at }: Visit): void {
    if (!isJsonObject(schema) || left === 0) {
      return;
    }
    left -= 1;
    visitor({ place, value, at });
    const { $ref: reference, allOf } = schema;
    if (typeof reference === 'string' && reference.startsWith('#')) {
      const target = decodeURIComponent(reference.slice(1));
      visit(resolveLocal(root, reference), { place: target, value, at });
    }
    if (Array.isArray(allOf)) {
      allOf.forEach((part, index) => visit(part, { place: appendPointer(place, 'allOf', index), value, at }));
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schema[keyword];
      if (Array.isArray(branches)) {
        branches.forEach((branch, index) => {
          if (mayFit(branch, value)) {
            visit(branch, { place: appendPointer(place, keyword, index), value, at });
          }
        });
      }
    }
    if (Array.isArray(value)) {
      visitItems(schema, value, { place, at });
    } else if (isJsonObject(value)) {
      visitProperties(schema, value, { place, at });
    }
  }

  function visitItems(
    { items, prefixItems }: JsonObject,
    list: readonly JsonValue[],
    { place, at }: Omit<Visit, 'value'>,
  ): void {
    const first = Array.isArray(prefixItems) ? prefixItems : [];
    list.forEach((value, index) => {
      const tokens = index < first.length ? (['prefixItems', index] as const) : (['items'] as const);
      visit(index < first.length ? first[index] : items, {
        place: appendPointer(place, ...tokens),
        value,
        at: appendPointer(at, index),
      });
    });
  }

  function visitProperties(
    { properties, patternProperties, additionalProperties }: JsonObject,
    object: JsonObject,
    { place, at }: Omit<Visit, 'value'>,
  ): void {
    const declared = isJsonObject(properties) ? properties : {};
    const patterns = isJsonObject(patternProperties) ? patternProperties : {};
    for (const [name, value] of Object.entries(object)) {
      const inner = appendPointer(at, name);
      const matching = Object.keys(patterns).filter((pattern) => matches(pattern, name));
      if (Object.hasOwn(declared, name)) {
        visit(declared[name], { place: appendPointer(place, 'properties', name), value, at: inner });
      } else if (matching.length === 0) {
        visit(additionalProperties, {
          place: appendPointer(place, 'additionalProperties'),
          value,
          at: inner,
        });
      }
      for (const pattern of matching) {
        visit(patterns[pattern], {
          place: appendPointer(place, 'patternProperties', pattern),
          value,
          at: inner,
        });
      }
    }
  }

  visit(root, { place: '', value: whole, at: '' });
}
