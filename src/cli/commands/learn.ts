import type { ArgumentsOf } from '../../config/command-options.ts';
import { selectionOptions } from '../../config/options.ts';

/** `cloche learn`: probes a running service for behaviour that its document does not specify. */
export const learnCommand = {
  usage: 'learn [base-url]',
  describe: 'Find out from a running service what its document does not specify',
  about: [
    'Finds out from a running service what its document does not specify, and writes',
    'it as a policy, for a mock that behaves alike and for tests that fail when the',
    'service changes. It creates as few resources as it can, with ids of its own, and',
    'deletes them at the end, where DELETE is declared.',
  ],
  options: {
    'The contract:': ['document', 'allow-references', 'strict-document', 'overlay-in', 'extension'],
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- a declaration file needs the type
    'Which operations:': selectionOptions as typeof selectionOptions,
    'How the service is reached:': [
      'token',
      'credentials',
      'users',
      'credential',
      'token-command',
      'header',
      'insecure',
      'ca',
      'client-cert',
      'client-key',
      'proxy',
      'wait-for-service',
      'timeout',
      'response-limit',
    ],
    'What is sent:': [
      'question',
      'value',
      'values',
      'trials',
      'max-requests',
      'max-creates',
      'ids',
      'rate',
      'rate-wait',
      'dry-run',
      'isolated',
    ],
    'What is written:': ['output'],
  },
  own: {
    extension: {
      describe: 'A file with hooks, formats or codecs of your own, JavaScript or TypeScript; repeatable',
    },
    ids: { defaultDescription: 'random' },
    'rate-wait': { default: 300 },
    output: {
      describe: 'The policy file to write, .json or .yaml',
      defaultDescription: 'standard output, as JSON',
    },
  },
  examples: [
    ['learn https://staging.example.com/api --dry-run', 'list what would be sent'],
    [
      'learn https://staging.example.com/api -o policy.json --ids 900000-999999',
      'a policy; every id is from that range',
    ],
    [
      'learn https://staging.example.com/api -o policy.json --question echo',
      'ask one question again; the file keeps its other answers',
    ],
    ['mock --policy policy.json', 'a mock that behaves like that service'],
    ['test https://staging.example.com/api --policy policy.json', 'fails when the service changes'],
  ],
  exitCodes: [
    'Exit codes:',
    '  0  done; some questions may not be settled',
    '  2  usage or document          4  Cloche or an extension failed',
    '  3  the service cannot be reached, or refuses the token',
    '  130  interrupted; what was learnt is printed, and saved in a new file',
  ],
} as const;

/** Arguments of `cloche learn`. */
export type LearnArguments = ArgumentsOf<typeof learnCommand>;
