import type { Options } from 'yargs';

/** The options of every command that drives a running mock. */
export const controlOptions: Readonly<Record<'mock' | 'control-token' | 'json', Options>> = {
  mock: {
    type: 'string',
    requiresArg: true,
    describe: 'Where the mock listens',
    defaultDescription: '$CLOCHE_MOCK, or http://127.0.0.1:4010',
  },
  'control-token': {
    type: 'string',
    requiresArg: true,
    describe: 'Its control token, where it listens for other machines',
    defaultDescription: '$CLOCHE_CONTROL_TOKEN',
  },
  json: { type: 'boolean', describe: 'Print what the mock answers, for programs' },
};
