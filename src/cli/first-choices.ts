import { existsSync } from 'node:fs';
import { findDocuments } from '../document/find-documents.ts';
import { quoteWord } from '../http/shell-quoting.ts';
import { printLines } from './terminal.ts';

/** The names of a configuration that a command without arguments reads in the working directory. */
const configurations = ['cloche.yaml', 'cloche.yml'];

/** Prints what a user can do first, with the configuration or the document of the working directory. */
export function printChoices(): void {
  const configuration = configurations.find((name) => existsSync(name));
  const [document] = configuration === undefined ? findDocuments('.') : [];
  const name = document === undefined ? undefined : quoteWord(document);
  const option = configuration === undefined ? '' : ` --config ${configuration}`;
  const choices = [
    [`mock${name === undefined ? option : ` ${name}`}`, 'mocks the API for an app, on http://127.0.0.1:4010'],
    [
      configuration === undefined
        ? `test http://127.0.0.1:8080${name === undefined ? '' : ` -d ${name}`}`
        : `test${option}`,
      'tests whether a service does what the document says',
    ],
    [
      `explain${name === undefined ? option : ` ${name}`}`,
      'shows what the document says, and what it does not specify',
    ],
  ] as const;
  // npx sets the variable. Without a global installation, the shell finds the command through npx only.
  const program = process.env['npm_command'] === 'exec' ? 'npx cloche' : 'cloche';
  const width = Math.max(...choices.map(([command]) => command.length));
  const isExample = name === undefined && configuration === undefined;
  printLines(process.stdout, [
    isExample
      ? 'Start with one of these. Without a document, Cloche uses its example; name yours as in mock openapi.yaml.'
      : `Start with one of these, for ${configuration ?? document}.`,
    '',
    ...choices.map(([command, purpose]) => `  ${program} ${command.padEnd(width)}  ${purpose}`),
    '',
    `${program} --help lists all commands, and ${program} <command> --help describes one.`,
  ]);
}
