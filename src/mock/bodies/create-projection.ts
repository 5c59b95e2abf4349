import { isJsonObject } from '../../contract/resolve-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { declaredNames } from './declared-names.ts';
import { mergeSchema } from './merge-schema.ts';
import { setOwn } from './set-own.ts';

/** Leaves of an object what belongs into one of its representations. */
export type Projection = (value: JsonObject) => JsonObject;

type Project = (value: JsonValue) => JsonValue;

/** A schema may hold itself; deeper than this, values are left as they are. */
const deepest = 6;

function isClosed(schema: JsonObject): boolean {
  return schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
}

/**
 * Prepares the picking of the properties that a schema declares for an object; where it declares none, all
 * are picked. Values are taken as they are, except that what the other side must not see (`writeOnly` in a
 * response, `readOnly` in a request) is left out at any depth, as is what a closed schema further down does
 * not allow (OpenAPI 3.1 §4.8.24.3).
 *
 * @param hidden - the keyword that marks what is left out
 */
export function createProjection(schema: JsonSchema, hidden: 'readOnly' | 'writeOnly'): Projection {
  const root = isJsonObject(schema) ? schema : {};

  function isHidden(property: JsonValue): boolean {
    return isJsonObject(property) && mergeSchema(root, property)[hidden] === true;
  }

  /** Undefined where nothing would ever be left out. */
  function prepare(part: JsonValue, depth: number): Project | undefined {
    if (!isJsonObject(part) || depth > deepest) {
      return undefined;
    }
    const merged = mergeSchema(root, part);
    const items = prepare(merged['items'] ?? true, depth + 1);
    const properties = Object.entries(isJsonObject(merged['properties']) ? merged['properties'] : {});
    const dropped = new Set(properties.filter(([, property]) => isHidden(property)).map(([name]) => name));
    const nested = new Map(
      properties.flatMap(([name, property]) => {
        const project = prepare(property, depth + 1);
        return project === undefined ? [] : [[name, project] as const];
      }),
    );
    const allowed = isClosed(merged) && merged['patternProperties'] === undefined ? declaredNames({ $defs: root['$defs'] ?? {}, ...part }) : undefined;
    if (items === undefined && dropped.size === 0 && nested.size === 0 && allowed === undefined) {
      return undefined;
    }
    return (value) => {
      if (Array.isArray(value)) {
        return items === undefined ? value : value.map(items);
      }
      if (!isJsonObject(value)) {
        return value;
      }
      const kept: JsonObject = {};
      for (const [name, member] of Object.entries(value)) {
        if (!dropped.has(name) && (allowed === undefined || allowed.has(name))) {
          setOwn(kept, name, nested.get(name)?.(member) ?? member);
        }
      }
      return kept;
    };
  }

  const inside = prepare(schema, 0);
  const names = [...(declaredNames(schema) ?? [])];
  const isPlain = !names.includes('__proto__');
  return (value) => {
    const source = inside?.(value) ?? value;
    if (names.length === 0 || !isJsonObject(source)) {
      return { ...value };
    }
    const picked: JsonObject = {};
    for (const name of names) {
      const member = Object.hasOwn(source, name) ? source[name] : undefined;
      if (member !== undefined) {
        if (isPlain) {
          picked[name] = member;
        } else {
          setOwn(picked, name, member);
        }
      }
    }
    return picked;
  };
}
