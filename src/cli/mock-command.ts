import type { CommandModule } from 'yargs';
import { policyOptions } from './options/policy-options.ts';

/** What `cloche mock` takes. */
export interface MockArguments {
  readonly document: string | undefined;
  readonly policy: string | undefined;
  readonly answer: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly token: readonly string[];
  readonly 'token-file': string | undefined;
  readonly 'allow-references': boolean;
  readonly quiet: boolean;
}

/** `cloche mock`: the stateful mock on a port. */
export const mockCommand: CommandModule<object, MockArguments> = {
  command: 'mock [document]',
  describe: 'Serve a stateful mock of an OpenAPI document',
  builder: (command) =>
    command
      .positional('document', {
        type: 'string',
        describe:
          'OpenAPI 3.0 or 3.1, YAML or JSON, a file or a URL [default: the one that ships with Cloche]',
      })
      .options(policyOptions)
      .option('port', {
        alias: 'p',
        requiresArg: true,
        default: 4010,
        describe: 'Port; 0 takes any free one',
      })
      .option('host', {
        type: 'string',
        requiresArg: true,
        default: '127.0.0.1',
        defaultDescription: '127.0.0.1',
        describe: 'Address to listen on',
      })
      .option('token', {
        type: 'string',
        array: true,
        nargs: 1,
        default: [],
        defaultDescription: '$CLOCHE_TOKEN, or any',
        describe: 'A token that is accepted; may be given again',
      })
      .option('token-file', {
        type: 'string',
        requiresArg: true,
        describe: 'A file with accepted tokens, one a line',
      })
      .option('allow-references', {
        type: 'boolean',
        default: false,
        defaultDescription: 'off',
        describe: "Follow references out of the document's folder and over the network",
      })
      .option('quiet', {
        alias: 'q',
        type: 'boolean',
        default: false,
        defaultDescription: 'off',
        describe: 'Do not log requests',
      })
      .usage(
        [
          '$0 mock [document]',
          '',
          'Answers as the document says, and keeps what is created until it stops.',
        ].join('\n'),
      )
      .epilogue(
        [
          'Examples:',
          '  $0 mock --token secret',
          '      the contract that ships with Cloche, on http://127.0.0.1:4010',
          '  $0 mock api.yaml --port 0 --token secret',
          '      your own document, on any free port',
          '  $0 mock --token secret --policy policy.json',
          '      as the service answers that the policy was learnt from',
        ].join('\n'),
      ),
  handler: async (input) => {
    const { runMock } = await import('./run-mock.ts');
    await runMock(input);
  },
};
