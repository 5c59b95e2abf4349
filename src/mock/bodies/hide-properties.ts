import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { declaredNames } from './declared-names.ts';
import { mergeSchema } from './merge-schema.ts';
import { setOwn } from './set-own.ts';

/** Copies an object without what is hidden in it. */
export type HideProperties = (value: JsonObject) => JsonObject;

/** A schema may hold itself; deeper than this, values are left as they are. */
const deepest = 6;

function isClosed(schema: JsonObject): boolean {
  const { additionalProperties, unevaluatedProperties, patternProperties } = schema;
  return (
    (additionalProperties === false || unevaluatedProperties === false) && patternProperties === undefined
  );
}

/**
 * Prepares the leaving out, at any depth, of what the other side must not see (`writeOnly` in a response,
 * `readOnly` in a request, OpenAPI 3.1 §4.8.24.3) and of what a closed schema does not allow.
 *
 * @param keyword - that marks what is left out
 * @returns undefined where nothing would ever be left out
 */
export function hideProperties(
  schema: JsonSchema,
  keyword: 'readOnly' | 'writeOnly',
): HideProperties | undefined {
  const root = isJsonObject(schema) ? schema : {};

  function isHidden(property: JsonValue): boolean {
    return isJsonObject(property) && mergeSchema(root, property)[keyword] === true;
  }

  function prepareValue(part: JsonValue, depth: number): ((value: JsonValue) => JsonValue) | undefined {
    if (!isJsonObject(part) || depth > deepest) {
      return undefined;
    }
    const inItems = prepareValue(mergeSchema(root, part)['items'] ?? true, depth + 1);
    const inObject = prepareObject(part, depth);
    if (inItems === undefined && inObject === undefined) {
      return undefined;
    }
    return (value) => {
      if (Array.isArray(value)) {
        return inItems === undefined ? value : value.map(inItems);
      }
      return inObject !== undefined && isJsonObject(value) ? inObject(value) : value;
    };
  }

  function prepareObject(part: JsonObject, depth: number): HideProperties | undefined {
    const merged = mergeSchema(root, part);
    const properties = Object.entries(isJsonObject(merged['properties']) ? merged['properties'] : {});
    const dropped = new Set(properties.filter(([, property]) => isHidden(property)).map(([name]) => name));
    const inside = new Map(
      properties.flatMap(([name, property]) => {
        const hide = prepareValue(property, depth + 1);
        return hide === undefined ? [] : [[name, hide] as const];
      }),
    );
    const allowed = isClosed(merged) ? declaredNames({ $defs: root['$defs'] ?? {}, ...part }) : undefined;
    if (dropped.size === 0 && inside.size === 0 && allowed === undefined) {
      return undefined;
    }
    return (value) => {
      const kept: JsonObject = {};
      for (const [name, member] of Object.entries(value)) {
        if (!dropped.has(name) && (allowed === undefined || allowed.has(name))) {
          setOwn(kept, name, inside.get(name)?.(member) ?? member);
        }
      }
      return kept;
    };
  }

  return prepareObject(root, 0);
}
