import type { Option } from '../config/option.ts';
import type { ArgumentsOf, Command, EntryOf, OptionName } from '../config/command-options.ts';
import type { JsonValue } from '../json/value.ts';
import type { bundleCommand } from './commands/bundle.ts';
import type { checkCommand } from './commands/check.ts';
import type { explainCommand } from './commands/explain.ts';
import type { learnCommand } from './commands/learn.ts';
import type { mockCommand } from './commands/mock.ts';
import type { proxyCommand } from './commands/proxy.ts';
import type { testCommand } from './commands/test.ts';

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Options that a configuration has under another name, or not at all. */
type Left = 'config' | 'service' | 'files';

type OwnKey<Entry, Name extends string> = Entry extends { readonly key: infer Key extends string }
  ? Key
  : CamelCase<Name>;

type Scalar = string | number | boolean;

interface Settings {
  readonly switch: boolean;
  readonly text: string | number;
  readonly texts: string | readonly string[];
  readonly token: string;
  readonly tokens: string | readonly string[];
  readonly argument: string;
  readonly word: string;
  readonly number: number;
  readonly whole: number;
  readonly setting: Readonly<Record<string, JsonValue>>;
}

type SettingOf<Entry> = Entry extends { readonly pairs: unknown }
  ? readonly string[] | Readonly<Record<string, Scalar | readonly Scalar[] | object>>
  : Entry extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Entry extends { readonly kind: infer Kind extends Option['kind'] }
      ? Settings[Kind]
      : never;

/** The settings of a section. Nested keys, such as `include.tags`, are members of `include`. */
type Section<Written extends Command> = {
  readonly [
    Name in Exclude<keyof ArgumentsOf<Written> & OptionName, Left> as OwnKey<
      EntryOf<Written, Name>,
      Name
    > extends `${string}.${string}`
      ? never
      : OwnKey<EntryOf<Written, Name>, Name>
  ]?: SettingOf<EntryOf<Written, Name>>;
};

interface Sections {
  readonly test: Section<typeof testCommand>;
  readonly mock: Section<typeof mockCommand>;
  readonly learn: Section<typeof learnCommand>;
  readonly check: Section<typeof checkCommand>;
  readonly proxy: Section<typeof proxyCommand>;
  readonly explain: Section<typeof explainCommand>;
  readonly bundle: Section<typeof bundleCommand>;
}

/** The settings of two sections or more, which the top level accepts. */
type Shared = {
  [Name in keyof Sections]: Pick<
    Sections[Name],
    keyof Sections[Name] &
      { [Other in Exclude<keyof Sections, Name>]: keyof Sections[Other] }[Exclude<keyof Sections, Name>]
  >;
};

/** The settings of a service: shared ones, and a section for each command. */
type ServiceSettings = Omit<Partial<Shared['test'] & Shared['mock'] & Shared['learn']>, keyof Sections> & {
  readonly [Name in keyof Sections]?: Sections[Name];
};

/** A configuration, as `cloche.config.ts` exports it. */
export interface Configuration extends ServiceSettings {
  /** Several services by name: `cloche test` runs all, `--service` picks one. */
  readonly services?: Readonly<Record<string, ServiceSettings>>;
}

/**
 * Defines a configuration. It returns its argument, whose type an editor checks.
 *
 * @example
 * export default defineConfig({ document: 'openapi.yaml', url: 'http://127.0.0.1:8080', test: { runs: 50 } });
 */
export function defineConfig(configuration: Configuration): Configuration {
  return configuration;
}
