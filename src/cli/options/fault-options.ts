/** What an option with one text is for yargs. */
interface TextOption {
  readonly type: 'string';
  readonly requiresArg: true;
  readonly defaultDescription: string;
  readonly describe: string;
}

/** The options that say what goes wrong with the answers of a mock. */
export const faultOptions: { readonly delay: TextOption; readonly faults: TextOption } = {
  delay: {
    type: 'string',
    requiresArg: true,
    defaultDescription: 'none',
    describe: 'Hold every answer back, MS or FROM..TO milliseconds',
  },
  faults: {
    type: 'string',
    requiresArg: true,
    defaultDescription: 'none',
    describe: 'A file of rules that make requests go wrong, JSON or YAML',
  },
};
