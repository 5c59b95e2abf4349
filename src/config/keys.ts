import type { Option } from './option.ts';

/** Options by name, as a command picks them from the table. */
export type OptionsByName = Readonly<Record<string, Option>>;

/** Returns the key of an option in a configuration: `maxTime`, `include.tags`; undefined if it has none. */
export function configurationKey(name: string, { kind, key, isFlagOnly }: Option): string | undefined {
  if (key !== undefined) return key;
  if (
    isFlagOnly === true ||
    kind === 'argument' ||
    name === 'config' ||
    name === 'service' ||
    name === 'files'
  )
    return undefined;
  return name.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
}

/** Returns the environment variable of an option: `CLOCHE_MAX_TIME`; undefined if it has none. */
export function environmentName(name: string, { kind }: Option): string | undefined {
  return kind === 'argument' || kind === 'setting' || name === 'service' || name === 'files'
    ? undefined
    : `CLOCHE_${name === 'base-url' ? 'URL' : name.toUpperCase().replaceAll('-', '_')}`;
}

/** Returns the options of a section by their keys in a configuration. */
export function byKey(options: OptionsByName): ReadonlyMap<string, readonly [name: string, option: Option]> {
  return new Map(
    Object.entries(options).flatMap(([name, option]) => {
      const key = configurationKey(name, option);
      return key === undefined ? [] : [[key, [name, option] as const] as const];
    }),
  );
}

/** Options that mean something else in each section, though several sections have them. */
const local = new Set(['output', 'port', 'host', 'seed', 'watch', 'quiet', 'json']);

/** Returns the options that the top level of a configuration accepts: those of two sections or more. */
export function sharedOptions(sections: Readonly<Record<string, OptionsByName>>): OptionsByName {
  const all = Object.values(sections);
  const names = all.flatMap((options) => Object.keys(options));
  const shared = [...new Set(names)].filter(
    (name) => !local.has(name) && names.filter((other) => other === name).length > 1,
  );
  return Object.fromEntries(
    shared.flatMap((name) => {
      const option = all.find((options) => Object.hasOwn(options, name))?.[name];
      return option === undefined ? [] : [[name, option]];
    }),
  );
}
