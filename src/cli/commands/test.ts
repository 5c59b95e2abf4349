import type { CommandModule } from 'yargs';
import { contractOptions, listOption, policyOptions, reachOptions, reportOption } from '../options.ts';
import type { GivenArguments } from './run-test.ts';

const value = { requiresArg: true } as const;
/** A text that looks like a number stays the text that it is. */
const text = { type: 'string', requiresArg: true } as const;

/** `cloche test`: the conformance suites, against a base URL or the in-process mock. */
export const testCommand: CommandModule<object, GivenArguments> = {
  command: 'test [base-url]',
  describe: 'Test a service against an OpenAPI document',
  builder: (command) =>
    command
      .positional('base-url', {
        type: 'string',
        describe: 'Where the service lives, a path prefix included [default: the in-process mock]',
      })
      .options({ ...contractOptions, ...policyOptions, ...reachOptions })
      .option('against', {
        ...text,
        describe: 'Send the same to the mock, or to another base URL, and tell where they differ',
        defaultDescription: 'nothing',
      })
      .option('against-token', {
        ...text,
        describe: 'A token that the other service accepts',
        defaultDescription: 'that of --token',
      })
      .option('connections', {
        ...value,
        alias: 'c',
        default: 10,
        describe: 'Requests under way at once',
      })
      .option('rate', {
        ...value,
        describe: 'The most requests a second',
        defaultDescription: 'no limit',
      })
      .option('rate-wait', {
        ...value,
        default: 60,
        describe: 'Seconds to wait for 429 and 503 in all',
      })
      .option('max-time', {
        ...value,
        describe: 'Seconds after which no further case is begun',
        defaultDescription: 'no limit',
      })
      .option('suite', {
        ...listOption,
        describe: 'Run only this suite; may be given again',
        defaultDescription: 'all',
      })
      .option('runs', { ...value, default: 100, describe: 'Cases that each property tries' })
      .option('ids', {
        ...text,
        describe: 'Draw keys from this range, FROM-TO',
        defaultDescription: 'random for a base URL',
      })
      .option('unsafe-methods', {
        type: 'boolean',
        describe: 'Send undeclared PUT, PATCH and DELETE to a base URL too',
      })
      .option('seed', {
        ...value,
        describe: 'Repeat a run; each prints its own',
        defaultDescription: 'random',
      })
      .option('path', { ...text, describe: 'Replay one case, as a finding prints it' })
      .options(reportOption)
      .option('strict', { type: 'boolean', describe: 'Advice fails the run too' })
      .option('baseline', {
        ...text,
        describe: 'A file of findings that are known and may pass, JSON or YAML',
        defaultDescription: 'none',
      })
      .option('update-baseline', {
        type: 'boolean',
        describe: 'Write what was found into that file, and take out what is gone',
      })
      .option('coverage', {
        type: 'boolean',
        describe: 'Print what of the contract was exercised, keyword by keyword',
      })
      .option('bail', { type: 'boolean', describe: 'Stop at the first violation that is not known' })
      .group(['document', 'allow-references', 'policy', 'answer'], 'The contract:')
      .group(['token', 'header', 'insecure', 'ca', 'response-limit'], 'How the service is reached:')
      .group(['against', 'against-token'], 'What it is compared with:')
      .group(['connections', 'timeout', 'rate', 'rate-wait', 'max-time'], 'How fast:')
      .group(['suite', 'runs', 'ids', 'unsafe-methods'], 'What is sent:')
      .group(['seed', 'path'], 'To see it again:')
      .group(['coverage', 'report'], 'What is written:')
      .group(['strict', 'baseline', 'update-baseline', 'bail'], 'The verdict:')
      .usage(
        [
          '$0 test [base-url]',
          '',
          'Sends requests made from an OpenAPI document, right and wrong ones, and judges',
          'every answer. Prints the smallest request that shows each fault, as a curl line.',
        ].join('\n'),
      )
      .epilogue(
        [
          'Examples:',
          '  $0 test',
          '      the suites on the in-process mock',
          '  $0 test http://127.0.0.1:8080/api --token secret',
          '      a service of your own, a path prefix included',
          '  $0 test http://127.0.0.1:8080 -d openapi.yaml -H "X-Tenant: acme"',
          '      a document of your own',
          '  $0 test http://127.0.0.1:8080 --policy policy.json --answer duplicate-key=conflict',
          '      held to answers that the document leaves open; another one is a violation',
          '  $0 test http://127.0.0.1:8080 --against mock',
          '      where the mock answers otherwise, and who is wrong',
          "  $0 test http://127.0.0.1:8080 --seed 7 --path 'valid-bodies/create.plain:3'",
          '      one case again, as a finding prints it',
          '  $0 test http://127.0.0.1:8080 --report junit=junit.xml --report html=report.html',
          '      reports in files; KIND alone, or KIND=-, goes to standard output, and what is',
          '      printed for people to standard error',
          '',
          'Exit codes:',
          '  0  no new violation       3  the service cannot be judged',
          '  1  violations; advice     4  Cloche itself failed',
          '     too with --strict    130  interrupted; what was found is printed',
          '  2  usage or document',
        ].join('\n'),
      ),
  handler: async (input) => {
    const { readTestArguments, runTest } = await import('./run-test.ts');
    await runTest(readTestArguments(input));
  },
};
