/** What an option that may be given again is for yargs; a text that looks like a number stays a text. */
export const listOption: {
  readonly type: 'string';
  readonly array: true;
  readonly nargs: 1;
  readonly default: readonly string[];
  readonly defaultDescription: string;
} = { type: 'string', array: true, nargs: 1, default: [], defaultDescription: 'none' };
