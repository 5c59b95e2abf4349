import type { JsonObject } from '../../json/json-value.ts';

/** A Parameter Object of the query (OpenAPI 3.1 §4.8.12). */
export function queryParameter(input: {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  /** @defaultValue false */
  readonly required?: boolean;
}): JsonObject {
  const { name, description, schema, required = false } = input;
  return { name, in: 'query', description, required, schema };
}
