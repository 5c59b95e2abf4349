import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { mergeSchema } from './merge-schema.ts';
import { sampleNumber } from './sample-number.ts';
import { sampleText } from './sample-text.ts';

/**
 * Gives a property the value of its role, or undefined where it has none.
 *
 * @param schema - that of the property, merged
 */
export type FillProperty = (name: string, schema: JsonObject) => JsonValue | undefined;

/** How deep a made value goes before it gives up: a schema may require itself. */
const deepest = 8;

/**
 * A value made for a schema: a `const`, default, example or the first of an `enum` where there is one, else
 * the plainest value of its type with what it requires. Validate it before it is used; for a pattern or a
 * contradiction there is none.
 *
 * @param input.root - what local references start from
 * @param input.fill - asked for each property; what it names is put in even where it is not required
 */
export function sampleValue(input: {
  readonly schema: JsonValue;
  readonly root: JsonObject;
  readonly fill?: FillProperty;
}): JsonValue | undefined {
  const { root, fill = () => undefined } = input;

  function sampleObject(schema: JsonObject, depth: number): JsonObject {
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    const entries = [...new Set([...required, ...Object.keys(properties)])].map(
      (name): [string, JsonValue | undefined] => {
        const property = (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? true;
        const merged = mergeSchema(root, isJsonObject(property) ? property : {});
        return [
          name,
          fill(name, merged) ?? (required.includes(name) ? sample(merged, depth + 1) : undefined),
        ];
      },
    );
    const filled = entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
    return Object.fromEntries(filled);
  }

  function sampleArray(schema: JsonObject, depth: number): JsonValue[] {
    const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
    const length = Math.max(
      first.length,
      Number(schema['minItems'] ?? 0),
      'items' in schema && depth < 3 ? 1 : 0,
    );
    const items = Array.from({ length: Math.min(length, Number(schema['maxItems'] ?? length)) }, (_, index) =>
      sample(first[index] ?? schema['items'] ?? true, depth + 1),
    );
    return items.filter((item) => item !== undefined);
  }

  function sample(schema: JsonValue, depth: number): JsonValue | undefined {
    if (depth > deepest) {
      return undefined;
    }
    const merged = mergeSchema(root, isJsonObject(schema) ? schema : {});
    const examples = Array.isArray(merged['examples']) ? merged['examples'] : [];
    const values = Array.isArray(merged['enum']) ? merged['enum'] : [];
    const given = [merged['const'], merged['default'], examples[0], merged['example'], values[0]];
    const chosen = given.find((value) => value !== undefined);
    if (chosen !== undefined) {
      return chosen;
    }
    switch (typeOf(merged)) {
      case 'object':
        return sampleObject(merged, depth);
      case 'array':
        return sampleArray(merged, depth);
      case 'integer':
      case 'number':
        return sampleNumber(merged);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return sampleText(merged);
    }
  }

  return sample(input.schema, 0);
}

function typeOf(schema: JsonObject): JsonValue {
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type'] ?? undefined];
  const type = types.find((each) => each !== 'null') ?? types[0];
  if (type !== undefined) {
    return type;
  }
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) {
    return 'object';
  }
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'string';
}
