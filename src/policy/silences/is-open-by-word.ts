import { schemasInPlace } from '../../contract/schemas-in-place.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';

/** Whether a self-contained schema itself says that it takes properties which it does not name. */
export function isOpenByWord(schema: JsonSchema): boolean {
  return schemasInPlace(schema, schema).some(
    ({ additionalProperties, patternProperties }) =>
      additionalProperties === true || isJsonObject(additionalProperties) || isJsonObject(patternProperties),
  );
}
