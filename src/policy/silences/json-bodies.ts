import type { MediaTypeContract } from '../../contract/media-type-contract.ts';
import type { Operation } from '../../contract/operation.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';

/** The JSON media types of a request body whose schema declares properties. */
export function jsonBodies({ requestBody }: Operation): readonly MediaTypeContract[] {
  return (requestBody?.media ?? []).filter(
    ({ isJson, schema }) => isJson && schemaProperties(schema?.schema).size > 0,
  );
}
