import type { JsonObject } from '../../json/json-value.ts';

/** What is kept of a body. */
export interface KeptBody {
  /** The concrete path of its collection. */
  readonly collection: string;
  /** What the document declares of it. */
  readonly resource: JsonObject;
  /** What is kept besides, or undefined where there is nothing. */
  readonly undeclared: JsonObject | undefined;
  /** The JSON text of all that is kept, where there is one already; else undefined. */
  readonly text: string | undefined;
}
