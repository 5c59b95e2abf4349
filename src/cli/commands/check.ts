import { contractOptions, selectionOptions } from '../../config/options.ts';

/** `cloche check`: judges recorded traffic. */
export const checkCommand = {
  usage: 'check <files..>',
  describe: 'Judge recorded traffic (HAR files, logs of the mock) against an OpenAPI document',
  about: [
    'Judges every exchange of a recording as a run judges its own. Nothing is sent.',
    'What a recording does not show is not judged: it is counted, with the reason.',
  ],
  options: {
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- a declaration file needs the type
    'The contract:': contractOptions as typeof contractOptions,
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- a declaration file needs the type
    'Which operations:': selectionOptions as typeof selectionOptions,
    'What is known of the service:': ['base-url', 'token', 'credentials', 'credential', 'token-command'],
    'What is written:': ['coverage', 'report', 'shell'],
    'The verdict:': ['max-response-time', 'strict'],
  },
  own: {
    extension: {
      describe: 'A file with checks, formats or codecs of your own, JavaScript or TypeScript; repeatable',
    },
    'base-url': {
      key: 'baseUrl',
      describe: 'Where the service lived, a path prefix included',
      defaultDescription: "found by the document's servers and paths",
    },
    token: {
      kind: 'tokens',
      describe: 'A token that was valid; user:password for basic authentication; repeatable',
    },
  },
  examples: [
    [
      'check session.har',
      'what the network tab of a browser exports (with sensitive data, if whether',
      'credentials are asked for is to be judged)',
    ],
    [
      'check a.har b.har -d openapi.yaml --base-url https://api.example.com/v1',
      'a document of your own, and the service that is meant',
    ],
    [
      'check mock.ndjson -d openapi.yaml',
      'what cloche mock openapi.yaml --log exchanges > mock.ndjson wrote',
    ],
    ['check session.har --policy policy.json --report junit=junit.xml', 'tested against a policy, too'],
  ],
  exitCodes: [
    'Exit codes:',
    '  0  no violation           3  nothing in it can be judged',
    '  1  violations; warnings   4  Cloche or an extension failed',
    '     too with --strict',
    '  2  usage, document, or a file that is no recording',
  ],
} as const;
