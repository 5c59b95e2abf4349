import type { Options } from 'yargs';

/** The options of every command that reads a document. */
export const contractOptions: Readonly<Record<'document' | 'allow-references', Options>> = {
  document: {
    type: 'string',
    requiresArg: true,
    alias: 'd',
    describe: 'OpenAPI 3.0 or 3.1, YAML or JSON, a file or a URL',
    defaultDescription: 'the one that ships with Cloche',
  },
  'allow-references': {
    type: 'boolean',
    describe: "Follow references out of the document's folder and over the network",
  },
};
