import type { JsonObject } from '../../json/json-value.ts';

/** A Parameter Object of the path (OpenAPI 3.1 §4.8.12). */
export function pathParameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'path', description, required: true, schema };
}
