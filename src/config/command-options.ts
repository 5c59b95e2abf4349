import type { JsonValue } from '../json/value.ts';
import type { ConfiguredSetting, Option } from './option.ts';
import { options } from './options.ts';

type Table = typeof options;

/** The name of an option, without hyphens before it. */
export type OptionName = keyof Table;

interface Values {
  readonly switch: boolean;
  readonly text: string;
  readonly texts: readonly string[];
  readonly token: string;
  readonly tokens: readonly string[];
  readonly argument: string;
  readonly word: string;
  readonly number: number;
  readonly whole: number;
  readonly setting: JsonValue;
}

/** The type of the value of an option; it includes undefined if the option may be left out. */
type ValueOf<Entry> = Entry extends { readonly kind: infer Kind extends keyof Values }
  ?
      | (Entry extends { readonly choices: readonly (infer Word)[] } ? Word : Values[Kind])
      | (Entry extends { readonly kind: 'switch' | 'texts' | 'tokens' } | { readonly default: unknown }
          ? never
          : undefined)
  : never;

/** The values of some options, as a command reads them. */
export type Picked<Name extends OptionName> = { readonly [Each in Name]: ValueOf<Table[Each]> };

/** The declaration of a command. */
export interface Command {
  /** `test [base-url]` */
  readonly usage: string;
  readonly describe: string;
  /** The first lines of its help. */
  readonly about?: readonly string[];
  /**
   * The options in addition to the arguments in the usage, in the order of the help. A name with a colon is the title
   * of a group there.
   */
  readonly options?: Readonly<Record<string, readonly OptionName[]>>;
  /** Values that override the option table. */
  readonly own?: Readonly<Partial<Record<OptionName, Partial<Option>>>>;
  /** Command lines without the name of the program, each with its effect, line by line. */
  readonly examples?: readonly (readonly [line: string, ...effect: readonly string[]])[];
  /** Lines about the exit codes. */
  readonly exitCodes?: readonly string[];
}

/** The names of the arguments in a usage: `<key>`, `[key]`, `<keys..>`. */
type ArgumentIn<Usage extends string> = Usage extends `${infer Word} ${infer Rest}`
  ? ArgumentIn<Word> | ArgumentIn<Rest>
  : Usage extends `<${infer Name}..>`
    ? Name
    : Usage extends `<${infer Name}>` | `[${infer Name}]`
      ? Name
      : never;

type NamesOf<Written extends Command> =
  | (ArgumentIn<Written['usage']> & OptionName)
  | (Written extends {
      readonly options: Readonly<Record<string, readonly (infer Name extends OptionName)[]>>;
    }
      ? Name
      : never);

/** The declaration of an option of a command: that of the table, with the values that override it. */
export type EntryOf<Written, Name extends OptionName> = Written extends {
  readonly own: { readonly [Each in Name]: infer Own };
}
  ? Omit<Table[Name], keyof Own> & Own
  : Table[Name];

type IsDemanded<Usage, Name extends string> = Usage extends `${string}<${Name}${'>' | '..>'}${string}`
  ? true
  : false;

/** The arguments of a command. The type follows from the options that the command picks. */
export type ArgumentsOf<Written extends Command> = {
  readonly [Name in NamesOf<Written>]: IsDemanded<Written['usage'], Name> extends true
    ? NonNullable<ValueOf<EntryOf<Written, Name>>>
    : ValueOf<EntryOf<Written, Name>>;
};

/** The arguments of a command before they are checked, and the options that describe how to read them. */
export interface Given<Arguments> {
  readonly options: { readonly [Name in keyof Arguments]: Option };
  /** A value is a list if an option is repeated, and a text if it is no number; undefined for the default. */
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * The places of the values that are not from the command line, by option: `cloche.yaml:3:7`, `$CLOCHE_PORT`. The
   * values of a repeatable option have places too, by option and value: `suite valid-bodies`.
   */
  readonly origins?: ReadonlyMap<string, string>;
  /** The settings of a configuration whose values are objects, by option. */
  readonly settings?: ReadonlyMap<string, ConfiguredSetting>;
  /** The file of the configuration, if there is one. */
  readonly configuration?: string | undefined;
  /** The service of the configuration, if it has services. */
  readonly service?: string | undefined;
}

/** Returns the names of the arguments in a usage: `<key>`, `[key]`, `<keys..>`. */
export function argumentsOf(usage: string): readonly string[] {
  return [...usage.matchAll(/[<[]([\w-]+)(?:\.\.)?[\]>]/gu)].map(([, name = '']) => name);
}

type OptionsOf<Written extends Command> = Given<ArgumentsOf<Written>>['options'];

/** Returns the options and arguments that a command picks, by name. */
export function optionsOf<const Written extends Command>(command: Written): OptionsOf<Written> {
  const { usage, options: groups = {}, own = {} }: Command = command;
  // `as`: the table has an entry for each argument in a usage.
  const names = [...(argumentsOf(usage) as readonly OptionName[]), ...Object.values(groups).flat()];
  const picked = names.map((name) => [name, { ...options[name], ...own[name] }]);
  // `as`: the names of the arguments are those of the options that are picked.
  return Object.fromEntries(picked) as OptionsOf<Written>;
}
