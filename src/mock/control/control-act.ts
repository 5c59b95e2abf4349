import type { MaybePromise } from '../maybe-promise.ts';
import type { ControlContext } from './control-context.ts';
import type { ControlRequest } from './control-request.ts';

/** What an operation of the control interface answers. */
export interface ControlResult {
  readonly status: number;
  /** JSON, but that members may be undefined, which are left out; undefined where there is no content. */
  readonly body?: unknown;
}

/**
 * Does what an operation is for.
 *
 * @throws ClocheError where the request asks for what cannot be; nothing was changed then
 */
export type ControlAct = (request: ControlRequest, context: ControlContext) => MaybePromise<ControlResult>;
