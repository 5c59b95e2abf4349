import { parseQuery } from '../../contract/parameters/parse-query.ts';
import type { Operation } from '../../contract/operation.ts';
import { closestWord } from '../../errors/closest-word.ts';
import { shorten } from '../content/shorten.ts';
import type { ControlResult } from './control-act.ts';

function refuse(message: string): ControlResult {
  return { status: 400, body: { code: 400, message } };
}

/**
 * Refuses a query parameter that is misspelt, or is there twice: it would be left out of account in silence.
 *
 * @param target - as it was sent
 */
export function refuseStrayParameter(operation: Operation, target: string): ControlResult | undefined {
  const known = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const sent = parseQuery(target).map(([name]) => name);
  const stray = sent.find((name) => !known.includes(name));
  if (stray === undefined) {
    const repeated = sent.find((name, index) => sent.indexOf(name) !== index);
    return repeated === undefined
      ? undefined
      : refuse(`The query parameter ${JSON.stringify(repeated)} is there twice: give it once.`);
  }
  const closest = closestWord(stray, known);
  const hint =
    closest !== undefined
      ? `did you mean "${closest}"?`
      : known.length === 0
        ? 'it takes none.'
        : `it takes ${known.join(', ')}.`;
  return refuse(`There is no query parameter ${JSON.stringify(shorten(stray))} here: ${hint}`);
}
