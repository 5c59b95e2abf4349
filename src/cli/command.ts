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
import { rareOptions } from '../config/rare-options.ts';
import type { Sections } from '../config/check-configuration.ts';

/** The yargs options of each kind. A text that looks like a number stays a text. */
const forms: Readonly<Record<Option['kind'], Options>> = {
  switch: { type: 'boolean' },
  text: { type: 'string', requiresArg: true },
  token: { type: 'string', requiresArg: true },
  argument: { type: 'string' },
  texts: { type: 'string', array: true, nargs: 1 },
  tokens: { type: 'string', array: true, nargs: 1 },
  word: { requiresArg: true },
  number: { requiresArg: true },
  whole: { requiresArg: true },
  setting: { hidden: true },
};

/** Returns whether the whole help is wanted. */
function showsAll(): boolean {
  return process.argv.includes('--help-all');
}

/**
 * Converts an option to the options of yargs. yargs shows defaults and does not set them, so that a value of the
 * environment or of a configuration can take their place.
 */
export function toYargs(name: string, option: Option): Options {
  const { describe, alias, conflicts, choices, default: usual } = option;
  const shown = option.defaultDescription ?? (usual === undefined ? undefined : String(usual));
  return {
    ...forms[option.kind],
    describe,
    hidden: rareOptions.has(name) && !showsAll(),
    ...(alias === undefined ? {} : { alias }),
    ...(choices === undefined ? {} : { choices }),
    ...(conflicts === undefined ? {} : { conflicts }),
    ...(shown === undefined || shown === 'none' ? {} : { defaultDescription: shown }),
  };
}

/** Declares the arguments and options of a command to yargs. */
function addOptions(argv: Argv, usage: string, options: Readonly<Record<string, Option>>): Argv {
  const behind = argumentsOf(usage);
  for (const [name, option] of Object.entries<Option>(options)) {
    if (option.kind === 'setting') continue;
    if (behind.includes(name)) {
      const { describe, defaultDescription: usual, choices } = option;
      const words = usual === undefined || usual === 'none' ? describe : `${describe} [default: ${usual}]`;
      argv.positional(name, { type: 'string', describe: words, ...(choices && { choices }) });
    } else {
      argv.option(name, toYargs(name, option));
    }
  }
  return argv;
}

/** The number of examples in a help that is not whole. */
const mostExamples = 3;

/** Adds the texts of a command to its help. Without `--help-all`, it leaves out exit codes and some examples. */
export function addTexts(argv: Argv, command: Omit<Command, 'describe'>): Argv {
  const { usage, about, examples = [], exitCodes = [] } = command;
  if (about === undefined) return argv;
  const isWhole = showsAll() || exitCodes.length === 0;
  const shown = isWhole ? examples : examples.slice(0, mostExamples);
  const lines = shown.flatMap(([line, ...effect]) => [
    `  $0 ${line}`,
    ...effect.map((words) => `      ${words}`),
  ]);
  const more = `Exit codes, and more options and examples: $0 ${usage.split(' ', 1)[0]} --help-all`;
  const ending = isWhole ? exitCodes : [more];
  const epilogue = ['Examples:', ...lines, ...(ending.length === 0 ? [] : ['', ...ending])];
  return argv.usage([`$0 ${usage}`, '', ...about].join('\n')).epilogue(epilogue.join('\n'));
}

/** What a command has besides its declaration. */
interface Besides {
  /** Options that it accepts too. */
  readonly options?: Readonly<Record<string, Option>>;
  /** Returns the sections of a configuration. A command that has one needs them. */
  readonly sections?: () => Sections;
  /** Its section, if that is the section of another command. */
  readonly section?: string;
}

/** Creates a yargs command. `run` loads its code and runs it. */
export function toModule<const Written extends Command>(
  command: Written,
  run: (
    given: Given<ArgumentsOf<Written>>,
    /** Those of all services that the command line is for. */
    all?: readonly Given<ArgumentsOf<Written>>[],
  ) => Promise<void>,
  { options: besides = {}, sections, section }: Besides = {},
): CommandModule {
  const options = optionsOf(command);
  const { usage, describe }: Command = command;
  const { config, service } = table;
  const declared: Readonly<Record<string, Option>> = options;
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
          // A setting of a configuration is no option of the command line.
          argv.group(
            names.filter((name) => declared[name]?.kind !== 'setting'),
            title,
          );
        }
      }
      return addTexts(argv, command);
    },
    async handler(values) {
      if (sections === undefined) return run({ options, values });
      const { runConfigured } = await import('./configured.ts');
      const [name = ''] = usage.split(' ', 1);
      return runConfigured({ name, section: section ?? name, options, values, sections }, run);
    },
  };
}
