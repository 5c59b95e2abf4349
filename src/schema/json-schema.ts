import type { JsonObject } from '../json/json-value.ts';

/**
 * A JSON Schema (2020-12) that stands alone: every `$ref` in it is local, `#/$defs/…`.
 */
export type JsonSchema = boolean | JsonObject;
