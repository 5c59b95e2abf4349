import type { CommandModule } from 'yargs';
import { contractOptions, listOption, policyOptions, reportOption } from '../options.ts';
import type { CheckArguments } from './run-check.ts';

/** `cloche check`: traffic that was recorded before, judged. */
export const checkCommand: CommandModule<object, { readonly [Name in keyof CheckArguments]: unknown }> = {
  command: 'check <files..>',
  describe: 'Judge recorded traffic, HAR files, by an OpenAPI document',
  builder: (command) =>
    command
      .positional('files', {
        type: 'string',
        demandOption: true,
        describe: 'HAR 1.2 files, of a browser or another tool',
      })
      .options({ ...contractOptions, ...policyOptions })
      .option('base-url', {
        type: 'string',
        requiresArg: true,
        describe: 'Where the service lived, a path prefix included',
        defaultDescription: "found by the document's servers and paths",
      })
      .option('token', {
        ...listOption,
        describe: 'A token that was good; user:password for basic authentication; may be given again',
        defaultDescription: '$CLOCHE_TOKEN',
      })
      .option('coverage', {
        type: 'boolean',
        describe: 'Print what of the contract was exercised, keyword by keyword',
      })
      .options(reportOption)
      .option('strict', { type: 'boolean', describe: 'Advice fails too' })
      .group(['document', 'allow-references', 'policy', 'answer'], 'The contract:')
      .group(['base-url', 'token'], 'What is known of the service:')
      .group(['coverage', 'report'], 'What is written:')
      .group(['strict'], 'The verdict:')
      .usage(
        [
          '$0 check <files..>',
          '',
          'Judges every exchange of a recording as a run judges its own. Nothing is sent.',
          'What a recording does not show is not judged: it is counted, with the reason.',
        ].join('\n'),
      )
      .epilogue(
        [
          'Examples:',
          '  $0 check session.har',
          '      what the network tab of a browser exports (with sensitive data, if whether',
          '      credentials are asked for is to be judged)',
          '  $0 check a.har b.har -d openapi.yaml --base-url https://api.example.com/v1',
          '      a document of your own, and the service that is meant',
          '  $0 check session.har --policy policy.json --report junit=junit.xml',
          '      held to answers that the document leaves open',
          '',
          'Exit codes:',
          '  0  no violation           3  nothing in it can be judged',
          '  1  violations; advice     4  Cloche itself failed',
          '     too with --strict',
          '  2  usage, document, or a file that is no HAR',
        ].join('\n'),
      ),
  handler: async (input) => {
    const { readCheckArguments } = await import('./run-check.ts');
    const { runCheck } = await import('./run-check.ts');
    await runCheck(readCheckArguments(input));
  },
};
