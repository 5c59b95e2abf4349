import type { JsonValue } from '../../json/json-value.ts';

/** A request to the control interface that its document allows. */
export interface ControlRequest {
  /** A parameter as a text; undefined where it was not sent. */
  text(name: string): string | undefined;
  /** A parameter as a number; undefined where it was not sent. */
  number(name: string): number | undefined;
  /** The body with its digits; undefined where none was sent. */
  readonly body: JsonValue | undefined;
}
