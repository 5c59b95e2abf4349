import yargs, { type Argv, type CommandModule } from 'yargs';
import { bundleCommand } from './bundle-command.ts';
import { checkSwitches } from './check-switches.ts';
import { checkCommand } from './check-command.ts';
import { controlCommands, controlGroups } from './control/control-commands.ts';
import { explainCommand } from './explain-command.ts';
import { explainComplaint } from './explain-complaint.ts';
import { learnCommand } from './learn-command.ts';
import { mockCommand } from './mock-command.ts';
import { proxyCommand } from './proxy-command.ts';
import { readVersion } from '../mock/server/read-version.ts';
import { terminalWidth } from './terminal.ts';
import { testCommand } from './test-command.ts';

/** Longer lines than these are hard to read, and a help that nobody watches fits any terminal. */
const longestLine = 100;
const usualLine = 80;

/** The commands besides those that drive a running mock. */
const commands = ['mock', 'test', 'explain', 'learn', 'check', 'proxy', 'bundle', 'completion'];

/** How the commands that cannot do without an argument are written. */
const usages = [learnCommand, checkCommand, proxyCommand].map(({ command }) => String(command));

/** The first word of what a command or an action is written as. */
function toName({
  command,
  usage = command,
}: {
  readonly command?: CommandModule['command'];
  readonly usage?: CommandModule['command'];
}): string {
  return String(usage).split(' ', 1)[0] ?? '';
}

/** The same for those that drive a running mock, by what they do. */
const controlUsages = controlGroups.flatMap(({ name, actions }) =>
  actions.map(({ usage }) => `${name} ${usage}`),
);

/** How the command that was given is written, where it cannot do without an argument. */
function findUsage([command, action]: readonly string[]): string | undefined {
  return (
    usages.find((usage) => usage.split(' ', 1)[0] === command) ??
    controlUsages.find((usage) => usage.startsWith(`${command} ${action} `))
  );
}

/** The options that a command line knows by now, all of them or those that are on or off. */
function listOptions(commandLine: Argv, which: 'key' | 'boolean'): readonly string[] {
  // `as`: yargs has the method, and its types leave it out.
  const { getOptions } = commandLine as Argv & {
    readonly getOptions: () => {
      readonly key: Readonly<Record<string, unknown>>;
      readonly boolean: readonly string[];
    };
  };
  const options = getOptions.call(commandLine);
  return which === 'key' ? Object.keys(options.key) : options.boolean;
}

/** Keeps a command line from making its help once more, for nobody, before its command runs: a tenth of a start. */
function leaveHelp(commandLine: Argv): void {
  // `as`: yargs has the method, and its types leave it out.
  const { getInternalMethods } = commandLine as Argv & {
    readonly getInternalMethods: () => {
      readonly getUsageInstance: () => { cacheHelpMessage: () => void };
    };
  };
  getInternalMethods.call(commandLine).getUsageInstance().cacheHelpMessage = () => undefined;
}

/**
 * The command line as a whole: its commands, its help and its complaints.
 *
 * @param words - what stands behind the program's name
 * @throws ClocheError OPTION_INVALID from parseAsync() for words that it does not understand
 */
export function createCommandLine(words: readonly string[]): Argv {
  const commandLine = yargs([...words]);
  return (
    commandLine
      .scriptName('cloche')
      // The rest of what is printed is English.
      .locale('en')
      .usage('$0 <command>\n\nMocks an HTTP API from its OpenAPI document, and tests services against it.')
      .epilogue(
        [
          'Examples:',
          '  $0 test',
          '      the conformance suites on the in-process mock',
          '  $0 test http://127.0.0.1:8080 --token secret',
          '      the same on a service of your own',
          '  $0 learn http://127.0.0.1:8080 --token secret -o policy.json',
          '      what its document leaves open, asked of a service',
          '  $0 explain api.yaml',
          '      what a document says, and what it leaves open',
          '  $0 mock --token secret',
          '      the mock for an app, on http://127.0.0.1:4010',
          '  $0 reset',
          '      a running mock as it was at its start, as between two tests',
          '  $0 check session.har',
          '      what a browser recorded, judged by the document',
          '  $0 proxy http://127.0.0.1:8080',
          '      what passes between an app and a service, judged as it passes',
          '',
          '$0 <command> --help says what a command takes.',
        ].join('\n'),
      )
      .command(mockCommand)
      .command(testCommand)
      .command(explainCommand)
      .command(learnCommand)
      .command(checkCommand)
      .command(proxyCommand)
      .command([...controlCommands])
      .command(bundleCommand)
      .completion('completion', 'Print a script that completes these commands in a shell')
      .demandCommand(1, 'no command is given')
      .strict()
      .version(readVersion())
      .alias({ help: 'h', version: 'v' })
      .wrap(Math.min(longestLine, terminalWidth() ?? usualLine))
      .middleware(() => leaveHelp(commandLine))
      .middleware(() => checkSwitches(words, listOptions(commandLine, 'boolean')))
      .exitProcess(false)
      .fail((message, error) => {
        // yargs gives its own complaints as a message, and what a command threw as an error.
        if (error instanceof Error && error.name !== 'YError') {
          throw error;
        }
        throw explainComplaint({
          message: message || String(error),
          words,
          commands: [...commands, ...controlCommands.map(toName)],
          options: listOptions(commandLine, 'key'),
          usage: findUsage(words),
          actions: controlGroups.find(({ name }) => name === words[0])?.actions.map(toName) ?? [],
        });
      })
  );
}
