import { checkNumber } from '../check-number.ts';
import { createArgumentReader } from '../create-argument-reader.ts';
import type { ActionArguments } from './action.ts';

const whole = { from: 0, to: Number.MAX_SAFE_INTEGER, whole: true };

/** The command line knows such an argument for a text, and refuses to do without it. */
function checkArgument(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** yargs takes the hyphen that stands for standard input from an argument. */
function restoreHyphen(argument: string): string {
  return argument === '' && process.argv.includes('-') ? '-' : argument;
}

/**
 * Reads what an action was given.
 *
 * @param input - as yargs gives it
 */
export function createActionArguments(input: Readonly<Record<string, unknown>>): ActionArguments {
  const reader = createArgumentReader(input);
  return {
    ...reader,
    required: (name) => restoreHyphen(checkArgument(input[name])),
    whole: (option) => (input[option] === undefined ? undefined : checkNumber(option, input[option], whole)),
  };
}
