import type { JsonObject } from '../../json/json-value.ts';

/** A reference to a schema of the document of the control interface. */
export function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
