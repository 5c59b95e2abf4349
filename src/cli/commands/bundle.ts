import type { CommandModule } from 'yargs';
import { contractOptions } from '../options.ts';

/** `cloche bundle`: a document and what it refers to, as one JSON file. */
export const bundleCommand: CommandModule<object, Readonly<Record<string, unknown>>> = {
  command: 'bundle [document]',
  describe: 'Put a document and the files it refers to into one JSON file',
  builder: (command) =>
    command
      .positional('document', {
        type: 'string',
        describe:
          'OpenAPI 3.0 or 3.1, YAML or JSON, a file or a URL [default: the one that ships with Cloche]',
      })
      .options({ 'allow-references': contractOptions['allow-references'] })
      .option('output', {
        type: 'string',
        requiresArg: true,
        alias: 'o',
        describe: 'The file to write',
        defaultDescription: 'standard output',
      })
      .usage(
        [
          '$0 bundle [document]',
          '',
          'Checks a document and writes it as one JSON file whose references are all inside it,',
          'numbers digit for digit: what a mock in a browser is made of.',
        ].join('\n'),
      )
      .epilogue(
        [
          'Examples:',
          '  $0 bundle api.yaml -o api.bundle.json',
          '      for createMock() of cloche/browser',
          '  $0 bundle api.yaml | jq .paths',
          '      to look at',
        ].join('\n'),
      ),
  handler: async (input) => {
    const { runBundle } = await import('./run-bundle.ts');
    await runBundle(input);
  },
};
