import { selectionOptions } from '../../config/options.ts';

/** `cloche mock`: serves the stateful mock on a port. */
export const mockCommand = {
  usage: 'mock [document]',
  describe: 'Serve a stateful mock of an OpenAPI document',
  about: ['Responds as the document says, and keeps what is created until it stops, or longer with --store.'],
  options: {
    BehaviourValues: ['policy', 'answer'],
    Access: [
      'port',
      'host',
      'https',
      'tls-cert',
      'tls-key',
      'token',
      'token-file',
      'allow-references',
      'strict-document',
      'overlay-in',
      'mount',
    ],
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- a declaration file needs the type
    Selection: selectionOptions as typeof selectionOptions,
    State: ['data', 'data-count', 'value', 'values', 'seed'],
    Responses: ['validate', 'handlers', 'fallback', 'replay', 'callbacks', 'delay', 'faults'],
    Others: [
      'cors',
      'cors-origin',
      'extension',
      'store',
      'workers',
      'watch',
      'control',
      'control-token',
      'log',
      'preflights',
      'quiet',
    ],
  },
  own: {
    token: {
      kind: 'texts',
      describe:
        'A bearer token, an API key or user:password; repeatable. With one, no others are accepted (accepted-tokens: listed)',
      defaultDescription: '$CLOCHE_TOKEN, or any',
    },
    extension: {
      describe: 'A file with formats and codecs of your own, JavaScript or TypeScript; repeatable',
    },
    'allow-references': { default: false, defaultDescription: 'off' },
    seed: {
      describe: 'The seed of everything random, such as generated data',
      defaultDescription: '1',
    },
    value: {
      describe:
        'A known value of a property, NAME=VALUE or NAME=@FILE, for generated data and samples; repeatable',
    },
    quiet: { default: false, defaultDescription: 'off', describe: 'Do not log requests' },
  },
  examples: [
    ['mock --token secret', 'the document that ships with Cloche, on http://127.0.0.1:4010'],
    ['mock api.yaml --port 0 --token secret', 'your own document, on any free port'],
    ['mock --token secret --policy policy.json', 'behave like the service that the policy was learnt from'],
    ['mock --mount /orders=orders.yaml --mount /users=users.yaml', 'several documents on one port'],
    ['mock api.yaml --handlers handlers.ts', 'answer some operations with functions of your own'],
    ['mock api.yaml --data resources.yaml', 'start, and reset to, the resources of the file'],
    [
      'mock --token secret --store file:state.db',
      'keep what is created after a restart (npm install libsql@0.5)',
    ],
  ],
} as const;
