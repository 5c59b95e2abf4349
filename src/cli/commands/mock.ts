import type { CommandModule } from 'yargs';
import { corsOptions, dataOptions, faultOptions, type MockArguments, policyOptions } from '../options.ts';

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
      .options(dataOptions)
      .options(faultOptions)
      .options(corsOptions)
      .option('store', {
        type: 'string',
        requiresArg: true,
        defaultDescription: 'memory:',
        describe: 'Where to keep the state: file:orders.db, or redis://localhost:6379?prefix=orders',
      })
      .option('watch', {
        type: 'boolean',
        default: true,
        defaultDescription: 'on; URLs are not watched',
        describe: 'Take up changes of the document, the policy, the data and the fault rules while it runs',
      })
      .option('control', {
        type: 'boolean',
        default: true,
        defaultDescription: 'on, for this machine',
        describe: 'Show and change under /__cloche/ what the mock holds; --no-control switches it off',
      })
      .option('control-token', {
        type: 'string',
        requiresArg: true,
        defaultDescription: '$CLOCHE_CONTROL_TOKEN, or none',
        describe: 'What /__cloche/ wants from other machines, where --host lets them in',
      })
      .option('log', {
        choices: ['lines', 'json'] as const,
        requiresArg: true,
        default: 'lines' as const,
        describe:
          'How requests are logged: a line each to read, or JSON that cloche/log.schema.json describes',
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
          'Answers as the document says, and keeps what is created until it stops, or longer with --store.',
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
          '  $0 mock api.yaml --data resources.yaml',
          '      every start and every reset begins with the resources of the file',
          '  $0 mock --token secret --store file:state.db',
          '      what is created is there again after a restart (npm install libsql@0.5)',
        ].join('\n'),
      ),
  handler: async (input) => {
    const { runMock } = await import('./run-mock.ts');
    await runMock(input);
  },
};
