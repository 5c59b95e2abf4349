import type { Argv, CommandModule, Options } from 'yargs';
import {
  type ArgumentsOf,
  type Command,
  type Given,
  type Option,
  type OptionName,
  options as table,
} from '../config/options.ts';

/** The yargs options of each kind. A text that looks like a number stays a text. */
const forms: Readonly<Record<Option['kind'], Options>> = {
  switch: { type: 'boolean' },
  text: { type: 'string', requiresArg: true },
  token: { type: 'string', requiresArg: true },
  argument: { type: 'string' },
  texts: { type: 'string', array: true, nargs: 1, default: [], defaultDescription: 'none' },
  tokens: { type: 'string', array: true, nargs: 1, default: [], defaultDescription: 'none' },
  word: { requiresArg: true },
  number: { requiresArg: true },
  whole: { requiresArg: true },
};

/** Converts an option to the options of yargs. */
export function toYargs(option: Option): Options {
  return { ...forms[option.kind], ...option };
}

/** Returns the names of the arguments in a usage: `<key>`, `[key]`, `<keys..>`. */
export function argumentsOf(usage: string): readonly string[] {
  return [...usage.matchAll(/[<[]([\w-]+)(?:\.\.)?[\]>]/gu)].map(([, name = '']) => name);
}

type OptionsOf<Written extends Command> = Given<ArgumentsOf<Written>>['options'];

/** Returns the options and arguments that a command picks, by name. */
export function optionsOf<const Written extends Command>(command: Written): OptionsOf<Written> {
  const { usage, options = {}, own = {} }: Command = command;
  // `as`: the table has an entry for each argument in a usage.
  const names = [...(argumentsOf(usage) as readonly OptionName[]), ...Object.values(options).flat()];
  const picked = names.map((name) => [name, { ...table[name], ...own[name] }]);
  // `as`: the names of the arguments are those of the options that are picked.
  return Object.fromEntries(picked) as OptionsOf<Written>;
}

/** Declares the arguments and options of a command to yargs. */
function addOptions(argv: Argv, usage: string, options: Readonly<Record<string, Option>>): Argv {
  const behind = argumentsOf(usage);
  for (const [name, option] of Object.entries<Option>(options)) {
    if (behind.includes(name)) {
      const { describe, defaultDescription: usual } = option;
      const words = usual === undefined ? describe : `${describe} [default: ${usual}]`;
      argv.positional(name, { type: 'string', describe: words });
    } else {
      argv.option(name, toYargs(option));
    }
  }
  return argv;
}

/** Adds the texts of a command to its help. */
export function addTexts(argv: Argv, command: Omit<Command, 'describe'>): Argv {
  const { usage, about, examples = [], exitCodes = [] } = command;
  if (about === undefined) return argv;
  const lines = examples.flatMap(([line, ...effect]) => [
    `  $0 ${line}`,
    ...effect.map((words) => `      ${words}`),
  ]);
  const epilogue = ['Examples:', ...lines, ...(exitCodes.length === 0 ? [] : ['', ...exitCodes])];
  return argv.usage([`$0 ${usage}`, '', ...about].join('\n')).epilogue(epilogue.join('\n'));
}

/** Creates a yargs command. `run` loads its code and runs it. The command also accepts the options `besides`. */
export function toModule<const Written extends Command>(
  command: Written,
  run: (given: Given<ArgumentsOf<Written>>) => Promise<void>,
  besides: Readonly<Record<string, Option>> = {},
): CommandModule {
  const options = optionsOf(command);
  return {
    command: command.usage,
    describe: command.describe,
    builder(argv) {
      addOptions(argv, command.usage, { ...options, ...besides });
      for (const [title, names] of Object.entries(command.options ?? {})) {
        if (title.endsWith(':')) {
          argv.group(names, title);
        }
      }
      return addTexts(argv, command);
    },
    handler: (values) => run({ options, values }),
  };
}
