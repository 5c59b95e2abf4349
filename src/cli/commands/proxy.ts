import { contractOptions, selectionOptions } from '../../config/options.ts';

/** `cloche proxy`: judges traffic as it passes. */
export const proxyCommand = {
  usage: 'proxy [base-url]',
  describe: 'Forward traffic to a service, and judge it against an OpenAPI document',
  about: [
    'Forwards requests to a service unchanged, and judges every exchange. When it is',
    'stopped, with Ctrl+C for example, it prints what it found.',
  ],
  options: {
    'Where clients find it:': ['port', 'host', 'mark'],
    'What is known of the service:': [
      'insecure',
      'ca',
      'client-cert',
      'client-key',
      'proxy',
      'wait-for-service',
      'token',
      'credentials',
      'credential',
      'token-command',
    ],
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- a declaration file needs the type
    'The contract:': contractOptions as typeof contractOptions,
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- a declaration file needs the type
    'Which operations:': selectionOptions as typeof selectionOptions,
    'What is written:': ['quiet', 'coverage', 'report', 'shell', 'record'],
    'The verdict:': ['judge-limit', 'max-response-time', 'strict'],
  },
  own: {
    extension: {
      describe: 'A file with checks, formats or codecs of your own, JavaScript or TypeScript; repeatable',
    },
    port: { default: 4020, describe: 'Port to listen on; 0 for any free one' },
    token: { kind: 'tokens', describe: 'A token that is known to be valid; repeatable' },
  },
  examples: [
    ['proxy http://127.0.0.1:8080', 'point the app, or your existing tests, at http://127.0.0.1:4020'],
    [
      'proxy https://example.com/api -d openapi.yaml --policy policy.json',
      'your own document, with a policy',
    ],
    [
      'proxy http://127.0.0.1:8080 --quiet --report junit=junit.xml',
      'in CI: start it, run the tests, stop it with SIGTERM, check its exit code',
    ],
  ],
  exitCodes: [
    'Exit codes, once it is stopped:',
    '  0  no violation           3  nothing that passed can be judged',
    '  1  violations; warnings   4  Cloche or an extension failed',
    '     too with --strict    130  stopped twice: no report',
    '  2  usage, document, or port in use',
  ],
} as const;
