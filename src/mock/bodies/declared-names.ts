import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { resolveLocal } from '../../schema/resolve-local.ts';

/** Keywords that hold a schema, or a list of them, for the value itself (JSON Schema 2020-12 core §10.2). */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'];

/**
 * The names of the properties that a schema declares for an object, in whatever branch of it.
 *
 * @returns undefined where it declares none, or a whole class of them (`patternProperties`, or a schema for
 * `additionalProperties`): then no name is undeclared
 */
export function declaredNames(schema: JsonSchema): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const seen = new Set<JsonObject>();
  let isOpen = false;
  function collect(part: JsonValue | undefined): void {
    if (!isJsonObject(part) || seen.has(part)) {
      return;
    }
    seen.add(part);
    if (typeof part['$ref'] === 'string') {
      collect(resolveLocal(schema, part['$ref']));
    }
    for (const name of Object.keys(isJsonObject(part['properties']) ? part['properties'] : {})) {
      names.add(name);
    }
    const further = part['additionalProperties'];
    isOpen ||= isJsonObject(part['patternProperties']) || further === true || isJsonObject(further);
    for (const value of inPlace.map((keyword) => part[keyword])) {
      for (const branch of Array.isArray(value) ? value : [value]) {
        collect(branch);
      }
    }
    for (const dependent of Object.values(
      isJsonObject(part['dependentSchemas']) ? part['dependentSchemas'] : {},
    )) {
      collect(dependent);
    }
  }
  collect(schema);
  return isOpen || names.size === 0 ? undefined : names;
}
