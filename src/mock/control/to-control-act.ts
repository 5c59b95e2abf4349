import type { Operation } from '../../contract/operation.ts';
import type { Act } from '../act/act.ts';
import type { ControlAct } from './control-act.ts';
import type { ControlContext } from './control-context.ts';
import { readControlRequest } from './read-control-request.ts';
import { refuseStrayParameter } from './refuse-stray-parameter.ts';
import { renderControlAnswer } from './render-control-answer.ts';
import { toControlFailure } from './to-control-failure.ts';

/**
 * Makes the act of an operation of the control interface one that a responder takes.
 *
 * @param context - what it acts on
 */
export function toControlAct(input: {
  readonly operation: Operation;
  readonly act: ControlAct;
  readonly context: ControlContext;
}): Act {
  const { operation, act, context } = input;
  return async (request) => {
    const refused = refuseStrayParameter(operation, request.head.target);
    if (refused !== undefined) {
      return renderControlAnswer(refused);
    }
    try {
      return renderControlAnswer(await act(readControlRequest(operation, request), context));
    } catch (error) {
      const failure = toControlFailure(error);
      if (failure === undefined) {
        throw error;
      }
      return renderControlAnswer(failure);
    }
  };
}
