import type { ExactNumber } from './exact-number.ts';

/** A JSON object. Keys are own properties; `__proto__` is a key like any other. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/**
 * Any JSON value (RFC 8259 §3). A number is a JavaScript number where its text comes back unchanged from
 * one, and an {@link ExactNumber} otherwise.
 */
export type JsonValue = null | boolean | number | string | ExactNumber | JsonValue[] | JsonObject;
