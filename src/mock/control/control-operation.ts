import type { JsonObject } from '../../json/json-value.ts';
import type { ControlAct } from './control-act.ts';

/** One method on one path of the control interface: its piece of the document, and what it does. */
export interface ControlOperation {
  /** Without the prefix. */
  readonly path: string;
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  /**
   * Its Operation Object (OpenAPI 3.1 §4.8.10), with the responses to a success alone: those that every operation has
   * are added.
   */
  readonly declares: JsonObject;
  /** Which refusals of its own it has besides those. */
  readonly refuses?: readonly (404 | 422)[];
  readonly act: ControlAct;
}
