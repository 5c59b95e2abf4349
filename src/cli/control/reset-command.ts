import type { CommandModule } from 'yargs';
import { controlOptions } from './control-options.ts';

/** `cloche reset`: brings a running mock back to how it was at its start. */
export const resetCommand: CommandModule = {
  command: 'reset',
  describe: 'Bring a running mock back to its start',
  builder: (command) =>
    command
      .option('only', {
        type: 'string',
        requiresArg: true,
        describe: 'Only these parts, with commas between: state, faults, requests, clock, policy',
        defaultDescription: 'all',
      })
      .options(controlOptions)
      .usage(
        [
          '$0 reset',
          '',
          'The state is that of the data that the mock started from again; snapshots stay. As between two tests.',
        ].join('\n'),
      )
      .epilogue(
        [
          'Examples:',
          '  $0 reset',
          '      everything',
          '  $0 reset --only state,requests',
          '      what was created, and the log',
        ].join('\n'),
      ),
  handler: async (input) => {
    const { runAction } = await import('./run-action.ts');
    const { resetMock } = await import('./reset-mock.ts');
    await runAction(resetMock, input);
  },
};
