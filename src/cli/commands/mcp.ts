import { selectionOptions } from '../../config/options.ts';

/** `cloche mcp`: serves mock and tests to coding agents over the Model Context Protocol. */
export const mcpCommand = {
  usage: 'mcp [base-url]',
  describe: 'Serve mock and tests to coding agents, over MCP on stdio',
  about: [
    'Speaks the Model Context Protocol on standard input and output: tools that',
    'explain a document, run a mock, test a service and read a finding. They read',
    'only files of the current folder. Needs npm install @modelcontextprotocol/sdk.',
  ],
  options: {
    Options: [
      'document',
      'strict-document',
      'overlay-in',
      'policy',
      'token',
      'header',
      'isolated',
      'read-only',
    ],
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- a declaration file needs the type
    'Which operations:': selectionOptions as typeof selectionOptions,
  },
  own: {
    'base-url': { describe: 'The service that the token is for; run_tests may name others' },
    document: {
      describe: 'The OpenAPI document of calls that name none, a file',
      defaultDescription: 'that of the policy',
    },
  },
  examples: [
    ['mcp -d openapi.yaml', 'the mock and the tests of one document'],
    ['mcp http://127.0.0.1:8080 -d openapi.yaml', 'with the service to test, and its $CLOCHE_TOKEN'],
  ],
} as const;
