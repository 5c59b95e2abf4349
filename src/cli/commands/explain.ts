/** `cloche explain`: prints what a document specifies, what it does not, and what a run will check. */
export const explainCommand = {
  usage: 'explain [document]',
  describe: 'Print what a document specifies, what it does not, and what a run will check',
  about: [
    'Prints what the document specifies; what it does not, what the mock does there,',
    'and where the document could say it; and what a run will check.',
  ],
  options: {
    Options: [
      'allow-references',
      'strict-document',
      'overlay-in',
      'policy',
      'answer',
      'samples',
      'json',
      'overlay',
    ],
  },
  examples: [
    ['explain api.yaml', 'your own document'],
    ['explain api.yaml --policy policy.json', 'with the answers of a policy'],
    [
      'explain large.yaml --samples',
      'with the samples that do not fit their schemas, however many operations there are',
    ],
    [
      'explain api.yaml --policy policy.json --overlay > closes-the-gap.yaml',
      'an OpenAPI Overlay 1.0 that declares them, with --json as JSON; with it applied',
      'the document specifies these answers itself',
    ],
  ],
} as const;
