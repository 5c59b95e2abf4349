import { parseQuery } from '../../contract/parameters/parse-query.ts';
import type { Operation } from '../../contract/operation.ts';
import { closestWord } from '../../errors/closest-word.ts';
import type { Act } from '../act/act.ts';
import { shorten } from '../content/shorten.ts';
import type { ControlAct, ControlResult } from './control-act.ts';
import type { ControlContext } from './control-context.ts';
import { readControlRequest } from './read-control-request.ts';
import { renderControlAnswer } from './render-control-answer.ts';
import { toControlFailure } from './to-control-failure.ts';

/** A query parameter that is misspelt would be left out of account in silence. */
function refuseUnknownParameter(operation: Operation, target: string): ControlResult | undefined {
  const known = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const stray = parseQuery(target).find(([name]) => !known.includes(name));
  if (stray === undefined) {
    return undefined;
  }
  const [name] = stray;
  const closest = closestWord(name, known);
  const hint =
    closest !== undefined
      ? `did you mean "${closest}"?`
      : known.length === 0
        ? 'it takes none.'
        : `it takes ${known.join(', ')}.`;
  const message = `There is no query parameter ${JSON.stringify(shorten(name))} here: ${hint}`;
  return { status: 400, body: { code: 400, message } };
}

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
    const refused = refuseUnknownParameter(operation, request.head.target);
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
