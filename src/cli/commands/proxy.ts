import type { CommandModule } from 'yargs';
import { contractOptions, listOption, policyOptions, reachOptions, reportOption } from '../options.ts';
import type { ProxyArguments } from './run-proxy.ts';

/** `cloche proxy`: traffic judged as it passes. */
export const proxyCommand: CommandModule<object, { readonly [Name in keyof ProxyArguments]: unknown }> = {
  command: 'proxy <base-url>',
  describe: 'Forward traffic to a service, and judge it by an OpenAPI document',
  builder: (command) =>
    command
      .positional('base-url', {
        type: 'string',
        demandOption: true,
        describe: 'Where the service lives, a path prefix included',
      })
      .option('port', {
        alias: 'p',
        requiresArg: true,
        default: 4020,
        describe: 'Port to listen on; 0 takes any free one',
      })
      .option('host', {
        type: 'string',
        requiresArg: true,
        default: '127.0.0.1',
        defaultDescription: '127.0.0.1',
        describe: 'Address to listen on',
      })
      .options({ insecure: reachOptions.insecure, ca: reachOptions.ca })
      .options({ ...contractOptions, ...policyOptions })
      .option('token', {
        ...listOption,
        describe: 'A token that is known to be good; may be given again',
        defaultDescription: '$CLOCHE_TOKEN',
      })
      .option('judge-limit', {
        requiresArg: true,
        default: 1_048_576,
        defaultDescription: '1 MiB',
        describe: 'Bytes of content to judge; longer content passes and is counted',
      })
      .option('mark', {
        type: 'boolean',
        describe: 'Name the exchange in each answer: Cloche-Exchange: 17',
      })
      .option('quiet', { alias: 'q', type: 'boolean', describe: 'Do not log exchanges, only what is found' })
      .option('coverage', {
        type: 'boolean',
        describe: 'Print what of the contract was exercised, keyword by keyword',
      })
      .options(reportOption)
      .option('strict', { type: 'boolean', describe: 'Advice fails too' })
      .group(['port', 'host', 'mark'], 'Where clients find it:')
      .group(['insecure', 'ca', 'token'], 'What is known of the service:')
      .group(['document', 'allow-references', 'policy', 'answer'], 'The contract:')
      .group(['quiet', 'coverage', 'report'], 'What is written:')
      .group(['judge-limit', 'strict'], 'The verdict:')
      .usage(
        [
          '$0 proxy <base-url>',
          '',
          'Stands between clients and a service, changes nothing that passes, and judges',
          'every exchange. Stopped with Ctrl+C, it prints what it found.',
        ].join('\n'),
      )
      .epilogue(
        [
          'Examples:',
          '  $0 proxy http://127.0.0.1:8080',
          '      give http://127.0.0.1:4020 to the app, or to the tests that you have',
          '  $0 proxy https://example.com/api -d openapi.yaml --policy policy.json',
          '      a document of your own, held to answers that it leaves open',
          '  $0 proxy http://127.0.0.1:8080 --quiet --report junit=junit.xml',
          '      in CI: start it, run the tests, end it with SIGTERM, look at its exit code',
          '',
          'Exit codes, once it is stopped:',
          '  0  no violation           3  nothing that passed can be judged',
          '  1  violations; advice     4  Cloche itself failed',
          '     too with --strict    130  told to stop twice: no report',
          '  2  usage, document, or a port that is taken',
        ].join('\n'),
      ),
  handler: async (input) => {
    const { readProxyArguments } = await import('./run-proxy.ts');
    const { runProxy } = await import('./run-proxy.ts');
    await runProxy(readProxyArguments(input));
  },
};
