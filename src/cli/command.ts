import type { Argv, CommandModule, Options } from 'yargs';
import type { Option } from '../config/option.ts';
import {
  type ArgumentsOf,
  type Command,
  type Given,
  argumentsOf,
  optionsOf,
} from '../config/command-options.ts';
import { options as table } from '../config/options.ts';
import type { Sections } from '../config/check-configuration.ts';

/** The yargs options of each kind. A text that looks like a number stays a text. */
const forms: Readonly<Record<Option['kind'], Options>> = {
  switch: { type: 'boolean' },
  text: { type: 'string', requiresArg: true },
  token: { type: 'string', requiresArg: true },
  argument: { type: 'string' },
  texts: { type: 'string', array: true, nargs: 1, defaultDescription: 'none' },
  tokens: { type: 'string', array: true, nargs: 1, defaultDescription: 'none' },
  word: { requiresArg: true },
  number: { requiresArg: true },
  whole: { requiresArg: true },
  setting: { hidden: true },
};

/**
 * Converts an option to the options of yargs. yargs shows defaults and does not set them, so that a value of the
 * environment or of a configuration can take their place.
 */
export function toYargs(option: Option): Options {
  const { describe, alias, conflicts, choices, default: usual, isRare = false } = option;
  const shown = option.defaultDescription ?? (usual === undefined ? undefined : String(usual));
  return {
    ...forms[option.kind],
    describe,
    hidden: isRare,
    ...(alias === undefined ? {} : { alias }),
    ...(choices === undefined ? {} : { choices }),
    ...(conflicts === undefined ? {} : { conflicts }),
    ...(shown === undefined ? {} : { defaultDescription: shown }),
  };
}

/** Declares the arguments and options of a command to yargs. */
function addOptions(argv: Argv, usage: string, options: Readonly<Record<string, Option>>): Argv {
  const behind = argumentsOf(usage);
  for (const [name, option] of Object.entries<Option>(options)) {
    if (option.kind === 'setting') continue;
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

/** What a command has besides its declaration. */
interface Besides {
  /** Options that it accepts too. */
  readonly options?: Readonly<Record<string, Option>>;
  /** Returns the sections of a configuration. A command that has one needs them. */
  readonly sections?: () => Sections;
}

/** Creates a yargs command. `run` loads its code and runs it. */
export function toModule<const Written extends Command>(
  command: Written,
  run: (given: Given<ArgumentsOf<Written>>) => Promise<void>,
  { options: besides = {}, sections }: Besides = {},
): CommandModule {
  const options = optionsOf(command);
  const { usage, describe }: Command = command;
  const { config, service } = table;
  return {
    command: usage,
    describe,
    builder(argv) {
      addOptions(argv, usage, {
        ...options,
        ...besides,
        ...(sections === undefined ? {} : { config, service }),
      });
      for (const [title, names] of Object.entries(command.options ?? {})) {
        if (title.endsWith(':')) {
          argv.group(names, title);
        }
      }
      return addTexts(argv, command);
    },
    async handler(values) {
      if (sections === undefined) return run({ options, values });
      const { runConfigured } = await import('./configured.ts');
      const [section = ''] = usage.split(' ', 1);
      return runConfigured({ section, options, values, sections }, run);
    },
  };
}
