import { environmentName } from '../config/keys.ts';
import { options as table } from '../config/options.ts';
import { layerValues } from '../config/layers.ts';
import { type Configuration, loadConfiguration } from '../config/load.ts';
import type { Sections } from '../config/check-configuration.ts';
import type { Option } from '../config/option.ts';
import type { Given } from '../config/command-options.ts';
import { closestWord, suggestWord } from '../errors/suggest.ts';
import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { placeError } from './place-error.ts';
import { describeThrown, invalidOption } from './process.ts';
import { printText } from './terminal.ts';

/** A command whose options may be in a configuration. */
export interface ConfiguredCommand {
  /** @defaultValue its section */
  readonly name?: string;
  /** Its section in a configuration: `test`. */
  readonly section: string;
  readonly options: Readonly<Record<string, Option>>;
  /** The values of the command line, by option. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Returns the sections of all commands. */
  readonly sections: () => Sections;
}

/** Variables that are no options: of debugging, and of the curl lines that reports print. */
const otherVariables = /^CLOCHE_(?:DEBUG$|SERVICE$|(?:TOKEN|BODY|COOKIE|HEADER|QUERY)_|TEST_)/u;

/** Warns of environment variables that no option has, because a misspelt one has no effect. */
function warnOfUnknownVariables(environment: NodeJS.ProcessEnv): void {
  const known = Object.entries<Option>(table).flatMap(
    ([name, option]) => environmentName(name, option) ?? [],
  );
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('CLOCHE_') && !known.includes(name) && !otherVariables.test(name),
  );
  for (const name of unknown) {
    const near = closestWord(
      name.slice('CLOCHE_'.length),
      known.map((each) => each.slice('CLOCHE_'.length)),
    );
    const remedy = near === undefined ? '' : ` Perhaps CLOCHE_${near} was meant.`;
    printText(process.stderr, `The variable ${name} has no effect: no option has this name.${remedy}`);
  }
}

/**
 * Reads the configuration of a command. Warns of unknown variables.
 *
 * @throws ClocheError CONFIGURATION_INVALID, with every problem at its place
 */
export async function openConfiguration({
  values,
  sections,
}: Pick<ConfiguredCommand, 'values' | 'sections'>): Promise<Configuration | undefined> {
  warnOfUnknownVariables(process.env);
  const { config = process.env['CLOCHE_CONFIG'] } = values;
  if (Array.isArray(config)) throw invalidOption('--config', 'it is given twice', 'Give --config once');
  // yargs gives a text, or false for --no-config.
  const file = typeof config === 'string' && config !== '' ? config : undefined;
  const configuration = await loadConfiguration(config === false ? false : file);
  if (configuration === undefined) return undefined;
  const { listConfigurationProblems } = await import('../config/check-configuration.ts');
  const problems = listConfigurationProblems(configuration.root, sections());
  if (problems.length > 0) throw configuration.toError(problems);
  return configuration;
}

/**
 * Returns the base URL of the mock that `cloche mock` starts by the configuration and the environment.
 *
 * @throws ClocheError CONFIGURATION_INVALID for a configuration that cannot be read
 */
export async function configuredMock(): Promise<string> {
  const configuration = await loadConfiguration(process.env['CLOCHE_CONFIG'] || undefined);
  const { port, https } = table;
  const layers = { options: { port, https }, values: {}, environment: process.env, configuration };
  const { values } = layerValues({ ...layers, section: 'mock' });
  const isTls = values['https'] !== undefined && values['https'] !== false;
  // Port 0 is any free one, which only the mock knows.
  return `${isTls ? 'https' : 'http'}://127.0.0.1:${Number(values['port']) || port.default}`;
}

/**
 * Returns the services of a configuration, or the one of `--service` or `CLOCHE_SERVICE`.
 *
 * @throws ClocheError OPTION_INVALID for an unknown service
 */
export function listServices(
  configuration: Configuration | undefined,
  { service = process.env['CLOCHE_SERVICE'] }: ConfiguredCommand['values'],
): readonly string[] {
  const configured = configuration?.root['services'];
  const services = isJsonObject(configured) ? Object.keys(configured) : [];
  if (typeof service === 'string' && service !== '') {
    if (services.includes(service)) return [service];
    const known =
      services.length === 0
        ? 'Declare it below services: in the configuration'
        : `Name one of ${services.join(', ')}`;
    const remedy = suggestWord(service, services, known);
    throw invalidOption(`--service ${service}`, 'the configuration has no such service', remedy);
  }
  return services;
}

/**
 * Returns the services that a command runs for; one undefined name if the configuration has no services.
 *
 * @throws ClocheError OPTION_INVALID for an unknown service, or if the command needs one and several are configured
 */
function pickServices(
  { section, name = section, values }: ConfiguredCommand,
  configuration: Configuration | undefined,
): readonly (string | undefined)[] {
  const services = listServices(configuration, values);
  if (services.length === 0) return [undefined];
  if (services.length === 1 || name === 'test') return services;
  const reason = `the configuration has ${services.length} services, and ${name} takes one`;
  const other = name === 'mock' ? ', or give each a document and a prefix' : '';
  throw invalidOption('--service', reason, `Name one of ${services.join(', ')}${other}`);
}

/**
 * Returns the values of `--mount` for the services of a configuration with their places, if all that are picked have a
 * prefix. Documents of the command line replace them.
 */
function mountServices(
  { section, options, values }: ConfiguredCommand,
  configuration: Configuration | undefined,
): ReadonlyMap<string, string> | undefined {
  if (section !== 'mock' || values['document'] !== undefined || values['mount'] !== undefined)
    return undefined;
  const services = configuration === undefined ? [] : listServices(configuration, values);
  const mounts = new Map<string, string>();
  for (const service of services) {
    const place = appendPointer('/services', service);
    const prefix = resolvePointer(configuration?.root ?? {}, appendPointer(place, 'prefix'));
    const { document } = layerValues({
      options: Object.fromEntries(Object.entries(options).filter(([name]) => name === 'document')),
      values: {},
      environment: process.env,
      configuration,
      section,
      service,
    }).values;
    if (typeof prefix !== 'string' || typeof document !== 'string') return undefined;
    mounts.set(`${prefix}=${document}`, configuration?.placeOf(place) ?? '');
  }
  return mounts.size > 0 ? mounts : undefined;
}

/**
 * Runs a command with its options from the command line, the environment and the configuration, once for each service.
 *
 * @throws ClocheError the errors of the command; a value of the environment or the configuration is named by its place
 */
export async function runConfigured<Arguments>(
  command: ConfiguredCommand & Pick<Given<Arguments>, 'options'>,
  run: (given: Given<Arguments>, all: readonly Given<Arguments>[]) => Promise<void>,
): Promise<void> {
  const configuration = await openConfiguration(command);
  const { options, values, section } = command;
  const mounts = mountServices(command, configuration);
  // Several documents are one run, without the other settings of each service.
  const isOfAll = values['mount'] === undefined ? (mounts?.size ?? 0) > 1 : values['service'] === undefined;
  const services = isOfAll ? [undefined] : pickServices(command, configuration);
  const all = services.map((service): Given<Arguments> => {
    const layers = { options, values, environment: process.env, configuration, section, service };
    const layered = layerValues(layers);
    const given = { options, ...layered, service, configuration: configuration?.file };
    const own = mounts === undefined ? given : { ...given, ...placeMounts(given, mounts) };
    return services.length > 1 && service !== undefined
      ? { ...own, values: nameReports(own.values, service) }
      : own;
  });
  let worst = 0;
  for (const given of all) {
    try {
      await run(given, all);
    } catch (error) {
      const placed = placeError(error, given);
      if (services.length < 2) throw placed;
      const { code, text } = describeThrown(placed);
      printText(process.stderr, text);
      process.exitCode = code;
    }
    worst = Math.max(worst, Number(process.exitCode ?? 0));
    if (worst === 130) break;
    if (services.length > 1) process.exitCode = 0;
  }
  if (services.length > 1) process.exitCode = worst;
}

/** Replaces the document by those of several services, each with its place in the configuration. */
function placeMounts(
  { values, origins }: Pick<Given<unknown>, 'values'> & { readonly origins: ReadonlyMap<string, string> },
  mounts: ReadonlyMap<string, string>,
): Pick<Given<unknown>, 'values'> & { readonly origins: ReadonlyMap<string, string> } {
  const placed = [...mounts].map(([text, place]) => [`mount ${text}`, place] as const);
  return {
    values: { ...values, document: undefined, mount: [...mounts.keys()] },
    origins: new Map([...origins, ...placed]),
  };
}

/** Adds the name of a service to the files of reports, so that each service has its own: `junit-orders.xml`. */
function nameReports(values: Readonly<Record<string, unknown>>, service: string): Record<string, unknown> {
  const { report } = values;
  if (!Array.isArray(report)) return { ...values };
  // A name may be that of no file: `a/b`.
  const suffix = service.replaceAll(/[^\p{L}\p{N}_.-]/gu, '-');
  const named = report.map((text: unknown) => {
    const { groups } = /^(?<start>[^=]+=(?!-$).*?)(?<ending>\.[\w.]+)?$/su.exec(String(text)) ?? {};
    return groups === undefined ? text : `${groups['start']}-${suffix}${groups['ending'] ?? ''}`;
  });
  return { ...values, report: named };
}
