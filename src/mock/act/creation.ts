import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { ValidRequest } from './act.ts';

/** A resource that is being created. */
export interface Creation {
  readonly request: ValidRequest;
  /** What the document declares of what was sent. */
  readonly resource: JsonObject;
  /** What was sent besides and is kept, or undefined where there is nothing. */
  readonly undeclared: JsonObject | undefined;
  /** Whether an exact number is among what was sent. */
  readonly exact: boolean;
  readonly key: JsonValue;
}
