import type { Options } from 'yargs';

/** The options that say which requests are meant. */
export const filterOptions: Readonly<Record<string, Options>> = {
  operation: { type: 'string', requiresArg: true, describe: 'The id of the operation' },
  method: { type: 'string', requiresArg: true, describe: 'The method' },
  path: {
    type: 'string',
    requiresArg: true,
    describe: 'The path as it was sent, or as the document has it: /orders/{id}',
  },
  status: { requiresArg: true, describe: 'The status of the answer' },
  verdict: {
    type: 'string',
    requiresArg: true,
    choices: ['accepted', 'refused', 'forced'],
    describe: 'What came of it',
  },
  condition: {
    type: 'string',
    requiresArg: true,
    describe: 'Why it was refused: invalid-body, duplicate-key …',
  },
  search: { type: 'string', requiresArg: true, describe: 'A text that target, body or message holds' },
  after: { requiresArg: true, describe: 'Requests with a higher number' },
};
