interface DataOption {
  readonly requiresArg: true;
  readonly describe: string;
  readonly defaultDescription?: string;
}

/** The options that say what a mock starts from. */
export const dataOptions: {
  readonly data: DataOption & { readonly type: 'string' };
  readonly 'data-count': DataOption;
  readonly seed: DataOption;
} = {
  data: {
    type: 'string',
    requiresArg: true,
    describe: 'Resources to start from: a JSON, YAML or NDJSON file, { "/orders": [ … ] } or rows alone',
  },
  'data-count': {
    requiresArg: true,
    defaultDescription: '0',
    describe: 'Make up so many resources for each collection that --data has none of',
  },
  seed: {
    requiresArg: true,
    defaultDescription: '1',
    describe: 'What all that looks random follows from, the data that is made up for one',
  },
};
