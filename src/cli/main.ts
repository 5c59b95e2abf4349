#!/usr/bin/env node
import yargs, { type Argv, type CommandModule } from 'yargs';
import { readVersion } from '../document/package-manifest.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { closestWord } from '../errors/suggest.ts';
import { bundleCommand } from './commands/bundle.ts';
import { checkCommand } from './commands/check.ts';
import { explainCommand } from './commands/explain.ts';
import { learnCommand } from './commands/learn.ts';
import { mockCommand } from './commands/mock.ts';
import { proxyCommand } from './commands/proxy.ts';
import { testCommand } from './commands/test.ts';
import { controlCommands, controlGroups } from './control/commands.ts';
import { describeThrown } from './process.ts';
import { printText, terminalWidth } from './terminal.ts';

/**
 * Checks what switches were given as their value: yargs takes whatever is not `true` for `false`.
 *
 * @param words - what stands behind the program's name
 * @param switches - the options of the command that are on or off
 * @throws ClocheError OPTION_INVALID for a value that is neither `true` nor `false`
 *
 * @example
 * checkSwitches(['mock', '--watch=yes'], ['watch']); // throws: it is a switch, and takes no value but true and false
 */
export function checkSwitches(words: readonly string[], switches: readonly string[]): void {
  const end = words.indexOf('--');
  for (const word of words.slice(0, end === -1 ? words.length : end)) {
    const [, name = '', value = ''] = /^--?([^=-][^=]*)=(.*)$/su.exec(word) ?? [];
    if (switches.includes(name) && value !== 'true' && value !== 'false') {
      const isShort = name.length === 1;
      const option = isShort ? `-${name}` : `--${name}`;
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'read the option',
        subject: `${option}${value === '' ? '' : ` ${value}`}`,
        reason: 'it is a switch, and takes no value but true and false',
        remedy: `Write ${option}, or ${isShort ? 'leave it out' : `--no-${name}`}`,
      });
    }
  }
}

/** What the command line knows when it complains. */
interface Complaint {
  /** In the words of yargs. */
  readonly message: string;
  /** What stands behind the program's name. */
  readonly words: readonly string[];
  readonly commands: readonly string[];
  /** How the command that was given is written, `learn <base-url>`; undefined where none was given. */
  readonly usage: string | undefined;
  /** What the command that was given does, where it is told so with a word behind it: `list`. */
  readonly actions: readonly string[];
  /** The options of the command that was given, without hyphens. */
  readonly options: readonly string[];
}

function toHelp([command = '']: readonly string[], commands: readonly string[]): string {
  return commands.includes(command)
    ? `cloche ${command} --help lists what it takes`
    : 'cloche --help lists what there is';
}

function unknown(word: string, { words, commands, options, actions }: Complaint): ClocheError {
  const option = words.find(
    (given) => given.split('=', 1)[0]?.replace(/^-{1,2}/u, '') === word && given !== word,
  );
  const spelled = option?.split('=', 1)[0] ?? word;
  if (option !== undefined) {
    const near = closestWord(
      word,
      options.filter(({ length }) => length > 1),
    );
    return new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: spelled,
      reason: 'there is none of that name',
      remedy: near === undefined ? toHelp(words, commands) : `Perhaps --${near} was meant`,
    });
  }
  const isCommand = words.find((given) => !given.startsWith('-')) === word;
  if (isCommand) {
    const near = closestWord(word, commands);
    return new ClocheError('OPTION_INVALID', {
      attempt: 'find the command',
      subject: word,
      reason: 'there is none of that name',
      remedy: near === undefined ? toHelp(words, commands) : `Perhaps cloche ${near} was meant`,
    });
  }
  if (actions.length > 0 && words.filter((given) => !given.startsWith('-'))[1] === word) {
    const near = closestWord(word, actions);
    return new ClocheError('OPTION_INVALID', {
      attempt: 'find what to do',
      subject: `cloche ${words[0]} ${word}`,
      reason: `there are ${actions.join(', ')}`,
      remedy: near === undefined ? toHelp(words, commands) : `Perhaps cloche ${words[0]} ${near} was meant`,
    });
  }
  // A value that stands unquoted behind such an option falls into words, and they may be a secret.
  const mayBeSecret = words.some((given) => /^(?:-H|--(?:header|token|control-token))(?:=|$)/u.test(given));
  return new ClocheError('OPTION_INVALID', {
    attempt: 'read the argument',
    subject: mayBeSecret ? '***' : word,
    reason: 'it is one too many',
    remedy: 'Quote a value that has spaces in it, as in --header "Name: value"',
  });
}

/** Turns a complaint of yargs into the sentence of ours; no value of an option is shown in it. */
function explainComplaint(complaint: Complaint): ClocheError {
  const { message, words, commands, usage } = complaint;
  const [, names] = /^Unknown (?:argument|command)s?: (.+)$/u.exec(message) ?? [];
  const [first] = names?.split(', ') ?? [];
  if (first !== undefined) return unknown(first, complaint);
  const [, option] = /^Not enough arguments following: (.+)$/u.exec(message) ?? [];
  if (option !== undefined) {
    const spelled = option.length === 1 ? `-${option}` : `--${option}`;
    return new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: spelled,
      reason: 'its value is missing',
      remedy: `Write it as ${spelled} VALUE; ${toHelp(words, commands)}`,
    });
  }
  if (usage !== undefined && message.startsWith('Not enough non-option arguments')) {
    const start = usage.search(/ [<[]/u);
    const [name, wanted] = [usage.slice(0, start), usage.slice(start + 1)];
    return new ClocheError('OPTION_INVALID', {
      attempt: 'read the command',
      subject: `cloche ${name}`,
      reason: `${wanted} is missing`,
      remedy: `Write it as cloche ${usage}; ${toHelp(words, commands)}`,
    });
  }
  return new ClocheError('OPTION_INVALID', {
    attempt: 'read the command',
    // Only the command: what stands behind it may be a secret.
    subject: ['cloche', ...words.slice(0, 1).filter((word) => commands.includes(word))].join(' '),
    // It is laid out over lines where it lists choices.
    reason: message.replace(/\.$/u, '').replaceAll(/\s*\n\s*/gu, ' '),
    remedy: 'Run cloche --help, or cloche <command> --help, to see what there is',
  });
}

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
function createCommandLine(words: readonly string[]): Argv {
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
        if (error instanceof Error && error.name !== 'YError') throw error;
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

try {
  await createCommandLine(process.argv.slice(2)).parseAsync();
} catch (error) {
  const { code, text } = describeThrown(error);
  printText(process.stderr, text);
  process.exitCode = code;
}
