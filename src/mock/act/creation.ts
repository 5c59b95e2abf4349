import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { ValidRequest } from './act.ts';

/** A resource that is being created. */
export interface Creation {
  readonly request: ValidRequest;
  /** What the document declares of what was sent. */
  readonly resource: JsonObject;
  /** What was sent besides and is kept, or undefined where there is nothing. */
  readonly undeclared: JsonObject | undefined;
  /** The JSON text of all that is kept, where the request has it; else undefined. */
  readonly text: string | undefined;
  /** Whether an exact number is among what was sent. */
  readonly exact: boolean;
  readonly key: JsonValue;
}
