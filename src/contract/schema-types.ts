import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { jsonTypeOf } from '../schema/json-type-of.ts';
import { schemasInPlace } from './schemas-in-place.ts';

/** The types that a schema names, or those of the values that it lists where it names none. */
function ownTypes({ type, enum: values, const: value }: JsonObject): readonly JsonValue[] {
  if (type !== undefined) {
    return Array.isArray(type) ? type : [type];
  }
  const listed = value === undefined ? values : [value];
  return Array.isArray(listed) ? listed.map(jsonTypeOf) : [];
}

/**
 * The JSON types that a self-contained schema speaks of, through `$ref`, `allOf`, `anyOf` and `oneOf`, and
 * where it names none those of its `enum` or `const`.
 *
 * @param root - what local references start from, where the schema is a part of another
 */
export function schemaTypes(schema: JsonSchema, root: JsonSchema = schema): ReadonlySet<string> {
  const types = schemasInPlace(root, schema).flatMap(ownTypes);
  return new Set(types.filter((type) => typeof type === 'string'));
}
