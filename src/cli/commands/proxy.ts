import type { ArgumentsOf } from '../options.ts';

/** `cloche proxy`: traffic judged as it passes. */
export const proxyCommand = {
  usage: 'proxy <base-url>',
  describe: 'Forward traffic to a service, and judge it by an OpenAPI document',
  about: [
    'Stands between clients and a service, changes nothing that passes, and judges',
    'every exchange. Stopped with Ctrl+C, it prints what it found.',
  ],
  options: {
    Arguments: ['base-url'],
    'Where clients find it:': ['port', 'host', 'mark'],
    'What is known of the service:': ['insecure', 'ca', 'token'],
    'The contract:': ['document', 'allow-references', 'policy', 'answer'],
    'What is written:': ['quiet', 'coverage', 'report'],
    'The verdict:': ['judge-limit', 'strict'],
  },
  own: {
    port: { default: 4020, describe: 'Port to listen on; 0 takes any free one' },
    token: { kind: 'tokens', describe: 'A token that is known to be good; may be given again' },
  },
  examples: [
    ['proxy http://127.0.0.1:8080', 'give http://127.0.0.1:4020 to the app, or to the tests that you have'],
    [
      'proxy https://example.com/api -d openapi.yaml --policy policy.json',
      'a document of your own, held to answers that it does not specify',
    ],
    [
      'proxy http://127.0.0.1:8080 --quiet --report junit=junit.xml',
      'in CI: start it, run the tests, end it with SIGTERM, look at its exit code',
    ],
  ],
  exitCodes: [
    'Exit codes, once it is stopped:',
    '  0  no violation           3  nothing that passed can be judged',
    '  1  violations; warnings   4  Cloche itself failed',
    '     too with --strict    130  told to stop twice: no report',
    '  2  usage, document, or a port that is taken',
  ],
} as const;

/** What `cloche proxy` takes. */
export type ProxyArguments = ArgumentsOf<typeof proxyCommand>;
