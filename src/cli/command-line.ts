import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import yargs, { type Argv } from 'yargs';
import { ClocheError } from '../errors/cloche-error.ts';
import { mockCommand } from './mock-command.ts';
import { testCommand } from './test-command.ts';

function readVersion(): string {
  // `as`: package.json is ours.
  const manifest = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('cloche/package.json'), 'utf8'),
  ) as { readonly version: string };
  return manifest.version;
}

/**
 * The command line as a whole: its commands, its help and its complaints.
 *
 * @param words - what stands behind the program's name
 * @throws ClocheError OPTION_INVALID from parseAsync() for words that it does not understand
 */
export function createCommandLine(words: readonly string[]): Argv {
  return (
    yargs([...words])
      .scriptName('cloche')
      // The rest of what is printed is English.
      .locale('en')
      .usage('$0 <command>\n\nMocks an HTTP API from its OpenAPI document, and tests services against it.')
      .command(mockCommand)
      .command(testCommand)
      .completion('completion', 'Print a script that completes these commands in a shell')
      .demandCommand(1, 'No command is given')
      .strict()
      .version(readVersion())
      .alias({ help: 'h', version: 'v' })
      .wrap(Math.min(100, process.stdout.columns ?? 100))
      .epilogue('cloche <command> --help says what a command takes.')
      .exitProcess(false)
      .fail((message, error) => {
        // yargs gives its own complaints as a message, and what a command threw as an error.
        if (error instanceof Error && error.name !== 'YError') {
          throw error;
        }
        throw new ClocheError('OPTION_INVALID', {
          attempt: 'read the command',
          // Only the command: what stands behind it may be a secret.
          subject: ['cloche', ...words.slice(0, 1).filter((word) => !word.startsWith('-'))].join(' '),
          reason: (message || String(error)).replace(/\.$/u, ''),
          remedy: 'Run cloche --help, or cloche <command> --help, to see what there is',
        });
      })
  );
}
