import type { CommandModule } from 'yargs';

/** What `cloche mock` takes. */
export interface MockArguments {
  readonly document: string | undefined;
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
        describe: 'OpenAPI 3.0 or 3.1, YAML or JSON, a file or a URL [the one that ships with Cloche]',
      })
      .option('port', { alias: 'p', type: 'number', default: 4010, describe: 'Port; 0 takes any free one' })
      .option('host', { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' })
      .option('token', {
        type: 'string',
        array: true,
        nargs: 1,
        default: [],
        describe: 'A token that is accepted; may be given again [any, or CLOCHE_TOKEN]',
      })
      .option('token-file', { type: 'string', describe: 'A file with accepted tokens, one a line' })
      .option('allow-references', {
        type: 'boolean',
        default: false,
        describe: "Follow references out of the document's folder and over the network",
      })
      .option('quiet', { alias: 'q', type: 'boolean', default: false, describe: 'Do not log requests' })
      .example('$0 mock --token secret', 'The contract that ships with Cloche, on http://127.0.0.1:4010')
      .example('$0 mock api.yaml --port 0 --token secret', 'Your own document, on any free port'),
  handler: async (input) => {
    const { runMock } = await import('./run-mock.ts');
    await runMock(input);
  },
};
