import type { ArgumentsOf } from '../options.ts';

/** `cloche learn`: asks a running service what its document does not specify. */
export const learnCommand = {
  usage: 'learn <base-url>',
  describe: 'Ask a running service what its document does not specify',
  about: [
    'Asks a running service what its document does not specify, and writes the',
    'answers as a policy: for a mock that answers alike, and for tests that notice',
    'when they change. It creates what it must, under keys of its own.',
  ],
  options: {
    Arguments: ['base-url'],
    'The contract:': ['document', 'allow-references'],
    'How the service is reached:': ['token', 'header', 'insecure', 'ca', 'timeout', 'response-limit'],
    'What is sent:': ['question', 'trials', 'max-requests', 'ids', 'rate', 'rate-wait', 'dry-run'],
    'What is written:': ['output'],
  },
  own: {
    ids: { defaultDescription: 'random' },
    'rate-wait': { default: 300 },
    output: {
      describe: 'The policy file to write, .json or .yaml',
      defaultDescription: 'standard output, as JSON',
    },
  },
  examples: [
    ['learn https://staging.example.com/api --dry-run', 'what would be sent; nothing is'],
    [
      'learn https://staging.example.com/api -o policy.json --ids 900000-999999',
      'a policy, with every key out of that range',
    ],
    [
      'learn https://staging.example.com/api -o policy.json --question echo',
      'one answer anew; the others that the file has stay',
    ],
    ['mock --policy policy.json', 'a mock that answers as that service does'],
    ['test https://staging.example.com/api --policy policy.json', 'notices when it answers in another way'],
  ],
  exitCodes: [
    'Exit codes:',
    '  0  asked; some questions may have stayed open',
    '  2  usage or document          4  Cloche itself failed',
    '  3  the service is not there, or turns the token away',
    '  130  interrupted; what was learnt is printed, and kept in a new file',
  ],
} as const;

/** What `cloche learn` takes. */
export type LearnArguments = ArgumentsOf<typeof learnCommand>;
