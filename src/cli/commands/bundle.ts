/** `cloche bundle`: writes a document and the files that it refers to as one JSON file. */
export const bundleCommand = {
  usage: 'bundle [document]',
  describe: 'Put a document and the files it refers to into one JSON file',
  about: [
    'Checks a document and writes it as one JSON file whose references are all inside it,',
    'numbers digit for digit: what a mock in a browser is made of.',
  ],
  options: { Options: ['allow-references', 'strict-document', 'overlay-in', 'output'] },
  own: { output: { describe: 'The file to write', defaultDescription: 'standard output' } },
  examples: [
    ['bundle api.yaml -o api.bundle.json', 'for createMock() of cloche/browser'],
    ['bundle api.yaml | jq .paths', 'to look at'],
  ],
} as const;
