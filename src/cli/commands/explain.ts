import type { CommandModule } from 'yargs';
import { contractOptions, policyOptions } from '../options.ts';

/** `cloche explain`: what a document says, what it leaves open, and what a run will check. */
export const explainCommand: CommandModule<object, Readonly<Record<string, unknown>>> = {
  command: 'explain [document]',
  describe: 'Say what a document says, what it leaves open and what a run will check',
  builder: (command) =>
    command
      .positional('document', {
        type: 'string',
        describe:
          'OpenAPI 3.0 or 3.1, YAML or JSON, a file or a URL [default: the one that ships with Cloche]',
      })
      .options({ 'allow-references': contractOptions['allow-references'], ...policyOptions })
      .option('json', { type: 'boolean', describe: 'Print it for programs, as explain.schema.json has it' })
      .option('overlay', {
        type: 'boolean',
        describe: 'Print an OpenAPI overlay that declares the answers given',
      })
      .usage(
        [
          '$0 explain [document]',
          '',
          'Prints what the document says, each question that it leaves open with the answer',
          'of the mock and where the document would have to speak, and what a run will check.',
        ].join('\n'),
      )
      .epilogue(
        [
          'Examples:',
          '  $0 explain api.yaml',
          '      your own document',
          '  $0 explain api.yaml --policy policy.json',
          '      with the answers that a policy gives',
          '  $0 explain api.yaml --policy policy.json --overlay > closes-the-gap.yaml',
          '      an OpenAPI Overlay 1.0 that declares them, with --json as JSON; with it applied',
          '      the document answers these questions itself',
        ].join('\n'),
      ),
  handler: async (input) => {
    const { runExplain } = await import('./run-explain.ts');
    await runExplain(input);
  },
};
