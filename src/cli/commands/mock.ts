import type { ArgumentsOf } from '../options.ts';

/** `cloche mock`: the stateful mock on a port. */
export const mockCommand = {
  usage: 'mock [document]',
  describe: 'Serve a stateful mock of an OpenAPI document',
  about: ['Answers as the document says, and keeps what is created until it stops, or longer with --store.'],
  options: {
    Arguments: ['document'],
    Answers: ['policy', 'answer'],
    Access: ['port', 'host', 'token', 'token-file', 'allow-references'],
    State: ['data', 'data-count', 'seed'],
    Faults: ['delay', 'faults'],
    Others: ['cors', 'cors-origin', 'store', 'watch', 'control', 'control-token', 'log', 'quiet'],
  },
  own: {
    token: {
      kind: 'texts',
      describe: 'A token that is accepted; may be given again',
      defaultDescription: '$CLOCHE_TOKEN, or any',
    },
    'allow-references': { default: false, defaultDescription: 'off' },
    seed: {
      describe: 'What all that looks random follows from, the data that is made up for one',
      defaultDescription: '1',
    },
    quiet: { default: false, defaultDescription: 'off', describe: 'Do not log requests' },
  },
  examples: [
    ['mock --token secret', 'the contract that ships with Cloche, on http://127.0.0.1:4010'],
    ['mock api.yaml --port 0 --token secret', 'your own document, on any free port'],
    ['mock --token secret --policy policy.json', 'as the service answers that the policy was learnt from'],
    [
      'mock api.yaml --data resources.yaml',
      'every start and every reset begins with the resources of the file',
    ],
    [
      'mock --token secret --store file:state.db',
      'what is created is there again after a restart (npm install libsql@0.5)',
    ],
  ],
} as const;

/** What `cloche mock` takes. */
export type MockArguments = ArgumentsOf<typeof mockCommand>;
