import type { JsonValue } from '../../json/json-value.ts';
import type { ValidRequest } from './act.ts';
import type { KeptBody } from './kept-body.ts';

/** A resource that is being created. */
export interface Creation extends KeptBody {
  readonly request: ValidRequest;
  /** Whether an exact number is among what was sent. */
  readonly exact: boolean;
  readonly key: JsonValue;
}
