/** `cloche init`: writes a configuration for a document. */
export const initCommand = {
  usage: 'init <document>',
  describe: 'Write a configuration, cloche.yaml, for an OpenAPI document',
  about: [
    'Reads a document, and the service if --url names one, and writes a commented',
    'cloche.yaml for all commands. It asks nothing.',
  ],
  options: { Options: ['url', 'output', 'force', 'allow-references', 'strict-document'] },
  own: { output: { describe: 'The file to write', defaultDescription: 'cloche.yaml' } },
  examples: [
    ['init openapi.yaml', 'for the mock, and for tests of a service that you add later'],
    [
      'init openapi.yaml --url http://127.0.0.1:8080',
      'finds the path prefix, and whether it needs credentials',
    ],
    ['config', 'then: what the commands take from it'],
  ],
} as const;
