import { isAbsolute, relative, resolve } from 'node:path';
import type { DocumentProblem } from '../document/document.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { appendPointer, type JsonPointer, resolvePointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { Configuration } from './load.ts';
import { configurationKey, environmentName, type OptionsByName } from './keys.ts';
import type { ConfiguredSetting, Option } from './option.ts';
import type { Given } from './command-options.ts';

/** The sources of the options of one command. */
export interface Layers {
  readonly options: OptionsByName;
  /** The values of the command line, by option. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configuration?: Configuration | undefined;
  /** The section of the command: `test`. */
  readonly section?: string | undefined;
  /** The service of the configuration. */
  readonly service?: string | undefined;
}

/**
 * The value of each option that is not a default, and its place if it is not from the command line. A variable that the
 * commands read themselves has a place and no value.
 */
export type LayeredValues = Required<Pick<Given<unknown>, 'values' | 'origins' | 'settings'>>;

/** Variables that the commands read themselves, because an empty one counts as none. */
const readElsewhere = new Set(['token', 'control-token', 'mock']);

/**
 * Takes each option from the first source that has it: the command line, the environment, the service and the top level
 * of a configuration. Below each level of a configuration, the section of the command comes first.
 *
 * @throws ClocheError CONFIGURATION_INVALID for a variable that is not set, with its place
 */
export function layerValues(layers: Layers): LayeredValues {
  const { options, environment, configuration } = layers;
  const values: Record<string, unknown> = { ...layers.values };
  const origins = new Map<string, string>();
  const settings = new Map<string, ConfiguredSetting>();
  const problems: DocumentProblem[] = [];
  for (const [name, option] of Object.entries(options)) {
    const own = [values[name]].flat();
    // yargs reads `--no-rate` as false, or as one in a list. The option is off, whatever the other sources have.
    if (option.kind !== 'switch' && own.includes(false)) {
      const others = own.filter((value) => value !== false);
      values[name] = others.length === 0 ? undefined : others;
      continue;
    }
    if (values[name] !== undefined) continue;
    const variable = environmentName(name, option);
    const text = variable === undefined ? undefined : environment[variable];
    if (variable !== undefined && text !== undefined && text !== '') {
      origins.set(name, `$${variable}`);
      if (!readElsewhere.has(name)) values[name] = readVariable(option, { variable, text });
      continue;
    }
    if (configuration === undefined) continue;
    const found = findSetting(layers, configuration, { option, key: configurationKey(name, option) });
    if (found === undefined) continue;
    const reader = new SettingReader(configuration, environment, problems);
    const { value, parts } = reader.read(option, found.value, found.pointer);
    values[name] = value;
    origins.set(name, configuration.placeOf(found.pointer));
    for (const [text, pointer] of parts) origins.set(`${name} ${text}`, configuration.placeOf(pointer));
    if (option.kind === 'setting') {
      const { folder, toError } = configuration;
      // `as`: a setting is JSON.
      settings.set(name, { value: value as JsonValue, pointer: found.pointer, folder, toError });
    }
  }
  if (configuration !== undefined && problems.length > 0) throw configuration.toError(problems);
  return { values, origins, settings };
}

/**
 * Returns the value of an environment variable as yargs would. The values of a repeatable option are lines.
 *
 * @throws ClocheError OPTION_INVALID for a switch that is neither on nor off
 */
function readVariable({ kind }: Option, { variable, text }: Record<'variable' | 'text', string>): unknown {
  if (kind === 'texts' || kind === 'tokens') return text.split('\n').filter((line) => line.trim() !== '');
  if (kind !== 'switch') return text;
  if (/^(?:true|1|yes|on)$/iu.test(text)) return true;
  if (/^(?:false|0|no|off)$/iu.test(text)) return false;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the environment variable',
    subject: `${variable}=${text}`,
    reason: 'it is neither true nor false',
    remedy: `Set ${variable} to true or false`,
  });
}

/** Finds the value of an option in a configuration, and its place; undefined if there is none. */
function findSetting(
  { section, service }: Layers,
  { root }: Configuration,
  { option: { kind, pairs }, key }: { readonly option: Option; readonly key: string | undefined },
): { readonly value: JsonValue; readonly pointer: JsonPointer } | undefined {
  if (key === undefined) return undefined;
  const bases = service === undefined ? [''] : [appendPointer('', 'services', service), ''];
  for (const base of bases) {
    for (const part of section === undefined ? [[]] : [[section], []]) {
      const pointer = appendPointer(base, ...part, ...key.split('.'));
      const value = resolvePointer(root, pointer);
      // An object of any other option is a section: `proxy: { port: 4020 }` is not a value of --proxy.
      const isSection = isJsonObject(value) && kind !== 'setting' && pairs === undefined;
      if (value !== undefined && value !== null && !isSection) return { value, pointer };
    }
  }
  return undefined;
}

/** A value of a repeatable option, with its place. */
type Part = readonly [text: string, pointer: JsonPointer];

/** Reads the values of settings: expands variables, and resolves paths. */
class SettingReader {
  readonly #configuration: Configuration;
  readonly #environment: Layers['environment'];
  readonly #problems: DocumentProblem[];

  constructor(configuration: Configuration, environment: Layers['environment'], problems: DocumentProblem[]) {
    this.#configuration = configuration;
    this.#environment = environment;
    this.#problems = problems;
  }

  /** Returns the value of an option as yargs would, and its parts if it is repeatable. */
  read(
    option: Option,
    given: JsonValue,
    pointer: JsonPointer,
  ): { readonly value: unknown; readonly parts: readonly Part[] } {
    const value = this.#expand(given, pointer);
    const { kind } = option;
    if (kind === 'texts' || kind === 'tokens') {
      const parts = this.#list(option, value, pointer);
      return { value: parts.map(([text]) => text), parts };
    }
    if (kind === 'setting') return { value, parts: [] };
    const isOn = value === true || value === 'true';
    return { value: kind === 'switch' ? isOn : this.#toText(option, value), parts: [] };
  }

  #list(option: Option, value: JsonValue, pointer: JsonPointer): readonly Part[] {
    const { pairs } = option;
    if (pairs !== undefined && isJsonObject(value)) {
      return Object.entries(value).flatMap(([name, member]) =>
        (Array.isArray(member) && pairs.isJson !== true ? member : [member]).map((each): Part => [
          `${name}${pairs.between}${this.#toText(option, each)}`,
          appendPointer(pointer, name),
        ]),
      );
    }
    const toText = (each: JsonValue): string =>
      pairs === undefined || option.isPath !== true
        ? this.#toText(option, each)
        : // A text of a list has the name and the path, `junit=report.xml`, or the name alone.
          (typeof each === 'string' ? each : stringifyJson(each)).replace(
            /^([^=]+=)(.+)$/su,
            (_, name: string, path: string) => name + this.#locate(path),
          );
    return Array.isArray(value)
      ? value.map((each, index): Part => [toText(each), appendPointer(pointer, index)])
      : [[toText(value), pointer]];
  }

  #toText({ isPath, pairs }: Option, value: JsonValue): string {
    const text = typeof value === 'string' ? value : stringifyJson(value);
    if (isPath === true) return this.#locate(text);
    return pairs !== undefined && text.startsWith('@') ? `@${this.#locate(text.slice(1))}` : text;
  }

  /** Returns a path of the configuration, relative to the working directory. URLs and words stay. */
  #locate(text: string): string {
    const [, scheme = '', path = text] = /^(file:)(?!\/\/)(.+)$/su.exec(text) ?? [];
    // An empty path is no folder, but an error of the option.
    const isWord =
      path === '' || path === '-' || path === 'none' || /^[a-z][\w+.-]*:/iu.test(path) || isAbsolute(path);
    if (isWord) return text;
    return `${scheme}${relative('.', resolve(this.#configuration.folder, path)) || '.'}`;
  }

  /** Replaces `${NAME}` and `${NAME:-default}` in all texts. `$${` gives `${`. */
  #expand(value: JsonValue, pointer: JsonPointer): JsonValue {
    if (typeof value === 'string') return this.#expandText(value, pointer);
    if (Array.isArray(value))
      return value.map((item, index) => this.#expand(item, appendPointer(pointer, index)));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        this.#expand(member, appendPointer(pointer, name)),
      ]),
    );
  }

  #expandText(text: string, pointer: JsonPointer): string {
    return text.replaceAll(/\$?\$\{[^}]*\}/gu, (written) => {
      if (written.startsWith('$$')) return written.slice(1);
      const [name = '', usual] = written.slice(2, -1).split(/:-(.*)/su, 2);
      const found = this.#environment[name];
      if (found !== undefined && found !== '') return found;
      if (usual !== undefined) return usual;
      this.#problems.push({
        pointer,
        reason: `needs the environment variable ${name}, which is not set`,
        remedy: `Set ${name}, or write \${${name}:-default}`,
      });
      return '';
    });
  }
}
