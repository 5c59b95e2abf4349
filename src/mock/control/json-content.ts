import type { JsonObject } from '../../json/json-value.ts';

/** A Response Object or Request Body Object whose content is JSON (OpenAPI 3.1 §4.8.14). */
export function jsonContent(description: string, schema: JsonObject): JsonObject {
  return { description, content: { 'application/json': { schema } } };
}
