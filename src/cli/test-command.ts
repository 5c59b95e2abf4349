import type { CommandModule } from 'yargs';

/** What `cloche test` takes. */
export interface TestArguments {
  readonly 'base-url': string | undefined;
  readonly document: string | undefined;
  readonly 'allow-references': boolean;
  readonly token: string | undefined;
  readonly header: readonly string[];
  readonly suite: readonly string[];
  readonly runs: number;
  readonly seed: number | undefined;
  readonly path: string | undefined;
  readonly ids: string | undefined;
  readonly connections: number;
  readonly timeout: number;
  readonly rate: number | undefined;
  readonly 'rate-wait': number;
  readonly strict: boolean;
  readonly 'unsafe-methods': boolean;
  readonly insecure: boolean;
  readonly ca: string | undefined;
  readonly bail: boolean;
}

/** `cloche test`: the conformance suites, against a base URL or the in-process mock. */
export const testCommand: CommandModule<object, TestArguments> = {
  command: 'test [base-url]',
  describe: 'Test a service against an OpenAPI document',
  builder: (command) =>
    command
      .positional('base-url', {
        type: 'string',
        describe: 'Where the service lives, a path prefix included [the in-process mock]',
      })
      .option('document', {
        alias: 'd',
        type: 'string',
        describe: 'OpenAPI 3.0 or 3.1, YAML or JSON, a file or a URL [the one that ships with Cloche]',
      })
      .option('allow-references', {
        type: 'boolean',
        default: false,
        describe: "Follow references out of the document's folder and over the network",
      })
      .option('token', { type: 'string', describe: 'A token that the service accepts [CLOCHE_TOKEN]' })
      .option('header', {
        alias: 'H',
        type: 'string',
        array: true,
        nargs: 1,
        default: [],
        describe: 'A header field for every request, "Name: value"',
      })
      .option('suite', {
        type: 'string',
        array: true,
        nargs: 1,
        default: [],
        describe: 'Run only this suite; may be given again',
      })
      .option('runs', { type: 'number', default: 100, describe: 'Cases that each property tries' })
      .option('seed', { type: 'number', describe: 'Repeat a run; it is printed by each [random]' })
      .option('path', { type: 'string', describe: 'Replay one case, as a finding prints it' })
      .option('ids', {
        type: 'string',
        describe: 'Draw keys from this range, FROM-TO [random for a base URL]',
      })
      .option('connections', {
        alias: 'c',
        type: 'number',
        default: 10,
        describe: 'Requests under way at once',
      })
      .option('timeout', {
        type: 'number',
        default: 5_000,
        describe: 'Milliseconds that one answer may take',
      })
      .option('rate', { type: 'number', describe: 'The most requests a second [no limit]' })
      .option('rate-wait', {
        type: 'number',
        default: 60,
        describe: 'Seconds that 429 and 503 are waited for in all',
      })
      .option('strict', { type: 'boolean', default: false, describe: 'Advice fails the run too' })
      .option('unsafe-methods', {
        type: 'boolean',
        default: false,
        describe: 'Send undeclared PUT, PATCH and DELETE too',
      })
      .option('insecure', {
        type: 'boolean',
        default: false,
        describe: "Take any certificate of the service's",
      })
      .option('ca', { type: 'string', describe: 'A file with the certificate authority to trust, PEM' })
      .option('bail', { type: 'boolean', default: false, describe: 'Stop at the first violation' })
      .example('$0 test', 'Run the suites on the in-process mock')
      .example('$0 test http://127.0.0.1:8080/api --token secret', 'Test a service of your own')
      .example(
        "$0 test http://127.0.0.1:8080 --seed 7 --path 'valid-bodies/create.plain:3'",
        'See one case again',
      )
      .epilogue(
        'Exit codes: 0 clean, 1 violations (advice too under --strict), 2 usage or document, 3 the service cannot be judged, 4 Cloche itself failed, 130 interrupted.',
      ),
  handler: async (input) => {
    const { runTest } = await import('./run-test.ts');
    await runTest(input);
  },
};
