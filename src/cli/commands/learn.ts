import type { CommandModule } from 'yargs';
import { contractOptions, listOption, reachOptions } from '../options.ts';
import type { GivenLearnArguments } from './run-learn.ts';

const value = { requiresArg: true } as const;
/** A text that looks like a number stays the text that it is. */
const text = { type: 'string', requiresArg: true } as const;

/** `cloche learn`: asks a running service what its document leaves open. */
export const learnCommand: CommandModule<object, GivenLearnArguments> = {
  command: 'learn <base-url>',
  describe: 'Ask a running service what its document leaves open',
  builder: (command) =>
    command
      .positional('base-url', {
        type: 'string',
        demandOption: true,
        describe: 'Where the service lives, a path prefix included',
      })
      .option('output', {
        ...text,
        alias: 'o',
        describe: 'The policy file to write, .json or .yaml',
        defaultDescription: 'standard output, as JSON',
      })
      .options({ ...contractOptions, ...reachOptions })
      .option('question', {
        ...listOption,
        describe: 'Ask only this question, and keep what the file says of others; may be given again',
        defaultDescription: 'all',
      })
      .option('trials', { ...value, default: 3, describe: 'How often each question is asked' })
      .option('max-requests', { ...value, default: 5_000, describe: 'No more requests are sent' })
      .option('ids', {
        ...text,
        describe: 'Draw keys from this range, FROM-TO',
        defaultDescription: 'random',
      })
      .option('rate', {
        ...value,
        describe: 'The most requests a second',
        defaultDescription: 'no limit',
      })
      .option('rate-wait', {
        ...value,
        default: 300,
        describe: 'Seconds to wait for 429 and 503 in all',
      })
      .option('dry-run', {
        type: 'boolean',
        describe: 'Send nothing, and list what would be sent',
      })
      .group(['document', 'allow-references'], 'The contract:')
      .group(
        ['token', 'header', 'insecure', 'ca', 'timeout', 'response-limit'],
        'How the service is reached:',
      )
      .group(['question', 'trials', 'max-requests', 'ids', 'rate', 'rate-wait', 'dry-run'], 'What is sent:')
      .group(['output'], 'What is written:')
      .usage(
        [
          '$0 learn <base-url>',
          '',
          'Asks a running service each question that its document leaves open, and writes',
          'what it saw as a policy: for a mock that answers alike, and for tests that',
          'notice when it changes. It creates what it must, under keys of its own.',
        ].join('\n'),
      )
      .epilogue(
        [
          'Examples:',
          '  $0 learn https://staging.example.com/api --dry-run',
          '      what would be sent; nothing is',
          '  $0 learn https://staging.example.com/api -o policy.json --ids 900000-999999',
          '      a policy, with every key out of that range',
          '  $0 learn https://staging.example.com/api -o policy.json --question echo',
          '      one answer anew; the others that the file has stay',
          '  $0 mock --policy policy.json',
          '      a mock that answers as that service does',
          '  $0 test https://staging.example.com/api --policy policy.json',
          '      notices when it answers in another way',
          '',
          'Exit codes:',
          '  0  asked; some questions may have stayed open',
          '  2  usage or document          4  Cloche itself failed',
          '  3  the service is not there, or turns the token away',
          '  130  interrupted; what was learnt is printed, and kept in a new file',
        ].join('\n'),
      ),
  handler: async (input) => {
    const { readLearnArguments, runLearn } = await import('./run-learn.ts');
    await runLearn(readLearnArguments(input));
  },
};
