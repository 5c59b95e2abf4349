import { checkNumber } from './check-number.ts';
import { checkText } from './check-text.ts';
import { checkToken } from './check-token.ts';
import { numberRanges } from './number-ranges.ts';

/** Reads what a command was given, option by option. */
export interface ArgumentReader {
  readonly text: (option: string) => string | undefined;
  readonly token: () => string | undefined;
  readonly number: (option: keyof typeof numberRanges) => number;
  readonly optionalNumber: (option: keyof typeof numberRanges) => number | undefined;
  readonly list: (option: string) => readonly string[];
  readonly flag: (option: string) => boolean;
}

/**
 * Reads what a command was given.
 *
 * @param given - as yargs gives it: a list where an option was given again, a text where it is no number
 * @throws ClocheError OPTION_INVALID from its functions, for a value that the option cannot take
 */
export function createArgumentReader(given: Readonly<Record<string, unknown>>): ArgumentReader {
  const number: ArgumentReader['number'] = (option) =>
    checkNumber(option, given[option], numberRanges[option]);
  return {
    text: (option) => (given[option] === undefined ? undefined : checkText(option, given[option])),
    token: () => (given['token'] === undefined ? undefined : checkToken('--token', given['token'])),
    number,
    optionalNumber: (option) => (given[option] === undefined ? undefined : number(option)),
    list(option) {
      const value = given[option];
      return Array.isArray(value) ? value.map(String) : [];
    },
    flag: (option) => given[option] === true,
  };
}
