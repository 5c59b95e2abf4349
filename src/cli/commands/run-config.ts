import { configurationKey, type OptionsByName } from '../../config/keys.ts';
import { type LayeredValues, layerValues } from '../../config/layers.ts';
import type { Configuration } from '../../config/load.ts';
import type { Option } from '../../config/option.ts';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { readCredentialSettings } from '../../credentials/settings.ts';
import { renderYaml } from '../../document/yaml.ts';
import { isSecretName } from '../../http/redact.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { readArguments } from '../arguments.ts';
import { listServices, openConfiguration } from '../configured.ts';
import { listSections } from './sections.ts';
import { printJson, printLines, printText } from '../terminal.ts';
import type { configCommand } from './config.ts';

/** The text in place of a secret. */
const mask = '***';

/** Settings of credentials that are no secrets. */
const openSettings = new Set([
  'audience',
  'cert',
  'clientAuthentication',
  'clientId',
  'discovery',
  'key',
  'operation',
  'scopes',
  'tokenUrl',
  'username',
]);

/** Masks the arguments of a command, because a variable in them may be a secret: `./login.sh ***`. */
const maskCommand = (text: string): string => text.trim().replace(/\s.*$/su, ` ${mask}`);

/** Masks every text of a value. */
function maskTexts(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(maskTexts);
  if (isJsonObject(value)) return maskMembers(value, maskTexts);
  return typeof value === 'boolean' ? value : mask;
}

/** Masks the members of an object each in its way, and every text of another value. */
const maskMembers = (value: JsonValue, hide: (member: JsonValue, name: string) => JsonValue): JsonValue =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hide(member, name)]))
    : maskTexts(value);

/** Masks a setting of a scheme, unless it is no secret. */
function maskSetting(member: JsonValue, name: string): JsonValue {
  if (name === 'command' && typeof member === 'string') return maskCommand(member);
  return openSettings.has(name) ? member : maskTexts(member);
}

/** Masks the settings of credentials by scheme. */
const maskCredentials = (schemes: JsonValue): JsonValue =>
  maskMembers(schemes, (setting) => maskMembers(setting, maskSetting));

const withoutUserinfo = (text: string): string => text.replaceAll(/\/\/[^/@\s]+@/gu, `//${mask}@`);

/** Masks the value of `Name: value` or `name=value` if the name is that of a secret. */
function maskPair(text: string, between: string): string {
  const at = text.indexOf(between);
  const name = text.slice(0, at);
  const isHidden = at > 0 && (isSecretName(name) || /^cookie$|key$/iu.test(name));
  return isHidden ? `${name}${between}${mask}` : withoutUserinfo(text);
}

/** Masks the settings of credentials by user and scheme. */
const maskUsers = (users: JsonValue): JsonValue => maskMembers(users, maskCredentials);

/**
 * Returns the value of an option without secrets.
 *
 * @example
 * maskValue(options.header, ['X-Tenant: acme', 'Authorization: Bearer s3cret']); // […, 'Authorization: ***']
 */
export function maskValue({ kind, isSecret, isCommand, pairs, members }: Option, value: unknown): JsonValue {
  if (kind === 'setting') {
    const maskSecrets = members === undefined ? maskCredentials : maskUsers;
    // `as`: a setting is JSON.
    return isSecret === true ? maskSecrets(value as JsonValue) : (value as JsonValue);
  }
  if (kind === 'number' || kind === 'whole') return Number(value);
  const texts = [value].flat();
  const masked = texts.map((each): JsonValue => {
    if (typeof each === 'boolean') return each;
    if (pairs !== undefined && isSecret === true)
      return `${String(each).split(pairs.between, 1)[0]}${pairs.between}${mask}`;
    if (isSecret === true) return mask;
    if (isCommand === true) return maskCommand(String(each));
    return pairs?.between !== ': ' ? withoutUserinfo(String(each)) : maskPair(String(each), pairs.between);
  });
  return Array.isArray(value) ? masked : (masked[0] ?? null);
}

/** Returns the options that are not defaults, by key. */
function listEffective(options: OptionsByName, { values, origins }: LayeredValues): JsonObject {
  const effective = Object.entries(options).flatMap(([name, option]) => {
    const key = configurationKey(name, option);
    const from = origins.get(name);
    return key === undefined || from === undefined
      ? []
      : [[key, { value: maskValue(option, values[name]), from }] as const];
  });
  return Object.fromEntries(effective);
}

/** Returns the options of each command for a service. */
function describeService(configuration: Configuration | undefined, service?: string): JsonObject {
  const commands = Object.entries(listSections()).flatMap(([section, options]) => {
    const layered = layerValues({
      options,
      values: {},
      environment: process.env,
      configuration,
      section,
      service,
    });
    const credentials = layered.settings.get('credentials');
    if (credentials !== undefined) {
      const { problems } = readCredentialSettings(credentials.value, credentials.pointer);
      if (problems.length > 0) throw credentials.toError(problems);
    }
    const effective = listEffective(options, layered);
    return Object.keys(effective).length === 0 ? [] : [[section, effective] as const];
  });
  return Object.fromEntries(commands);
}

/** Renders the options of commands as YAML, with the place of each as a comment. */
function renderCommands(commands: JsonObject): string {
  const lines = Object.entries(commands).flatMap(([section, options]) => [
    `${section}:`,
    ...Object.entries(isJsonObject(options) ? options : {}).flatMap(([key, option]) => {
      const { value = null, from } = isJsonObject(option) ? option : {};
      const [first = '', ...rest] = renderYaml({ [key]: value })
        .trimEnd()
        .split('\n');
      return [`  ${first}  # ${typeof from === 'string' ? from : ''}`, ...rest.map((line) => `  ${line}`)];
    }),
  ]);
  return lines.join('\n');
}

/**
 * Runs `cloche config`: prints the options that the configuration and the environment set, without secrets.
 *
 * @throws ClocheError CONFIGURATION_INVALID for a configuration that cannot be used
 */
export async function runConfig(given: Given<ArgumentsOf<typeof configCommand>>): Promise<void> {
  const input = readArguments(given);
  const configuration = await openConfiguration({ values: given.values, sections: listSections });
  const names = listServices(configuration, given.values);
  const services = (names.length === 0 ? [undefined] : names).map(
    (name) => [name, describeService(configuration, name)] as const,
  );
  if (input.json) {
    printJson({
      file: configuration?.file ?? null,
      ...(names.length === 0
        ? { commands: services[0]?.[1] ?? {} }
        : { services: Object.fromEntries(services.map(([name, commands]) => [String(name), { commands }])) }),
    });
    return;
  }
  printLines(process.stderr, [
    configuration === undefined
      ? 'There is no configuration here. Write one with cloche init openapi.yaml.'
      : `The options that ${configuration.file} and the environment set. All others have their defaults.`,
  ]);
  for (const [name, commands] of services) {
    if (name !== undefined) printLines(process.stdout, [`# service ${name}`]);
    const text = renderCommands(commands);
    if (text !== '') printText(process.stdout, text);
  }
}
