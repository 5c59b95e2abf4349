import type { ArgumentsOf } from '../../config/command-options.ts';
import { contractOptions, selectionOptions } from '../../config/options.ts';

/** `cloche test`: runs the conformance suites against a base URL or the in-process mock. */
export const testCommand = {
  usage: 'test [base-url]',
  describe: 'Test a service against an OpenAPI document',
  about: [
    'Generates valid and invalid requests from an OpenAPI document, and judges every',
    'response. Prints the smallest request that shows each fault, as a curl line.',
  ],
  options: {
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- a declaration file needs the type
    'The contract:': contractOptions as typeof contractOptions,
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- a declaration file needs the type
    'Which operations:': selectionOptions as typeof selectionOptions,
    'The service:': [
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
      'response-limit',
      'connections',
      'timeout',
      'rate',
      'rate-wait',
      'against',
      'against-token',
      'callbacks-port',
      'callback-url',
    ],
    'The run:': [
      'list',
      'dry-run',
      'smoke',
      'suite',
      'runs',
      'max-time',
      'shard',
      'workers',
      'queue',
      'value',
      'values',
      'ids',
      'unsafe-methods',
      'read-only',
      'max-creates',
      'keep',
      'isolated',
      'seed',
      'path',
      'watch',
    ],
    'What is written:': ['quiet', 'verbose', 'coverage', 'report', 'shell'],
    'The verdict:': ['strict', 'max-response-time', 'min-coverage', 'baseline', 'update-baseline', 'bail'],
  },
  own: {
    workers: { describe: 'Share the run out to this many threads; with --queue, to as many cloche worker' },
    'base-url': { defaultDescription: 'mock, the in-process mock' },
    'dry-run': { describe: 'Send nothing; list the operations and properties that would be tested' },
    watch: {
      default: false,
      defaultDescription: 'off',
      describe: 'Run again when the document, the policy, the baseline or an extension changes',
    },
    strict: { describe: 'Warnings fail the run too' },
    quiet: {
      describe:
        'Print only the verdict and the findings that fail the run: violations; with --strict warnings too',
    },
  },
  examples: [
    ['test', 'the suites on the in-process mock'],
    ['test http://127.0.0.1:8080/api --token secret', 'your own service, at a path prefix'],
    ['test http://127.0.0.1:8080 -d openapi.yaml -H "X-Tenant: acme"', 'your own document'],
    [
      'test http://127.0.0.1:8080 --policy policy.json --answer duplicate-key=conflict',
      'the answers of a policy are enforced too: other behaviour is a violation',
    ],
    ['test http://127.0.0.1:8080 --against mock', 'where the mock differs, and which of the two is wrong'],
    [
      "test http://127.0.0.1:8080 --seed 7 --path 'valid-bodies/create.plain:3'",
      'one case again, from a finding',
    ],
    [
      'test http://127.0.0.1:8080 --report junit=junit.xml --report html=report.html',
      'reports in files; KIND alone, or KIND=-, goes to standard output, and the',
      'console output to standard error',
    ],
  ],
  exitCodes: [
    'Exit codes:',
    '  0  no new violation       3  the service cannot be judged',
    '  1  violations; warnings   4  Cloche or an extension failed',
    '     too with --strict;   130  interrupted; what was found is printed',
    '     less exercised than --min-coverage demands',
    '  2  usage or document',
  ],
} as const;

/** Arguments of `cloche test`. */
export type TestArguments = ArgumentsOf<typeof testCommand>;
