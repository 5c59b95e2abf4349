import { dirname, relative, resolve } from 'node:path';
import type { Contract } from '../../../contract/contract.ts';
import { listServerUrls } from '../../../contract/router.ts';
import { isDeprecated } from '../../../contract/selection.ts';
import { listDeclaredSchemes } from '../../../credentials/fit-schemes.ts';
import { renderYaml } from '../../../document/yaml.ts';
import { plural } from '../../../report/format.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';

/** What a configuration is written for. */
interface Wanted {
  /** As the user named it. */
  readonly document: string;
  /** The file to write. */
  readonly output: string;
  /** The path of the JSON Schema, relative to that file. */
  readonly schema: string;
  /** Undefined if the service is not known yet. */
  readonly url: string | undefined;
}

/** The most names that a comment lists. */
const mostNamed = 5;

const scalar = (text: string): string => renderYaml(text).trim();

/** Returns the name of an environment variable: `BEARER_AUTH_TOKEN`. */
function variableOf(scheme: string, what: string): string {
  const words = scheme.replaceAll(/([a-z\d])([A-Z])/gu, '$1_$2').replaceAll(/[^A-Za-z\d]+/gu, '_');
  return `${words.replaceAll(/^_+|_+$/gu, '').toUpperCase()}_${what}`;
}

function flowOf({ flows }: JsonObject): JsonObject | undefined {
  const flow = isJsonObject(flows) ? flows['clientCredentials'] : undefined;
  return isJsonObject(flow) ? flow : undefined;
}

/** Returns a comment for an address of the document with another origin than the service: it needs a decision. */
function renderAddress(
  key: string,
  address: JsonValue | undefined,
  url: string | undefined,
): readonly string[] {
  if (typeof address !== 'string' || !URL.canParse(address)) return [];
  if (url !== undefined && new URL(address).origin === new URL(url).origin) return [];
  return [
    `    # ${key}: ${scalar(address)}  # of the document; it gets the secret, so repeat it only if you trust it`,
  ];
}

/** Renders the settings of a scheme, with `${NAME}` for each secret, and `${CLOCHE_TOKEN}` for the only one. */
function renderScheme(
  name: string,
  scheme: JsonObject,
  { url, isOnly }: { readonly url: string | undefined; readonly isOnly: boolean },
): readonly string[] {
  const key = scalar(name);
  const variable = (what: string): string => `\${${variableOf(name, what)}}`;
  const { type, scheme: http, openIdConnectUrl } = scheme;
  const isBasic = type === 'http' && typeof http === 'string' && http.toLowerCase() === 'basic';
  const flow = type === 'oauth2' ? flowOf(scheme) : undefined;
  if (isBasic) {
    return [`  ${key}: { username: '${variable('USER')}', password: '${variable('PASSWORD')}' }`];
  }
  if (type === 'mutualTLS') return [`  ${key}: { cert: client.pem, key: client.key }`];
  if (flow === undefined && type !== 'openIdConnect') {
    return [`  ${key}: ${isOnly ? '${CLOCHE_TOKEN}' : variable(type === 'apiKey' ? 'KEY' : 'TOKEN')}`];
  }
  const scopes = isJsonObject(flow?.['scopes']) ? Object.keys(flow['scopes']) : [];
  return [
    `  ${key}:`,
    `    clientId: ${variable('CLIENT_ID')}`,
    `    clientSecret: ${variable('CLIENT_SECRET')}`,
    ...(scopes.length === 0 ? [] : [`    scopes: [${scopes.map(scalar).join(', ')}]`]),
    ...renderAddress('tokenUrl', flow?.['tokenUrl'], url),
    ...renderAddress('discovery', openIdConnectUrl, url),
  ];
}

function renderCredentials(contract: Contract, url: string | undefined): readonly string[] {
  const declared = listDeclaredSchemes(contract);
  const names = new Set(
    contract.operations.flatMap(({ security }) => security.flat()).map(({ name }) => name),
  );
  const lines = [...names].flatMap((name) => {
    const scheme = declared.get(name);
    return scheme === undefined ? [] : renderScheme(name, scheme, { url, isOnly: names.size === 1 });
  });
  if (lines.length === 0) return [];
  const block = ['credentials:', ...lines];
  return [
    '',
    '# Credentials by security scheme. A variable that is not set is an error.',
    ...(url === undefined ? block.map((line) => `# ${line}`) : block),
  ];
}

/** Renders header fields that most operations require and that have no example. */
function renderHeaders({ operations }: Contract): readonly string[] {
  const counts = new Map<string, number>();
  for (const { parameters } of operations) {
    for (const { in: place, name, required } of parameters) {
      if (place === 'header' && required) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const names = [...counts].filter(([, count]) => count * 2 >= operations.length).map(([name]) => name);
  return names.length === 0
    ? []
    : [
        '',
        '# Header fields of every request.',
        '# headers:',
        ...names.map((name) => `#   ${scalar(name)}: value`),
      ];
}

function renderSelection(contract: Contract): readonly string[] {
  const { operations } = contract;
  const actions = operations.filter(
    ({ kind, method }) => (kind.kind === 'action' || kind.kind === 'sample') && method !== 'GET',
  );
  const names = actions.slice(0, mostNamed).map(({ id }) => scalar(id));
  const example = names.length === 0 ? [scalar(operations.at(-1)?.id ?? 'purge')] : names;
  return [
    '',
    '# Operations that a run must not call.',
    '# exclude:',
    `#   operations: [${example.join(', ')}]`,
    ...(operations.some((operation) => isDeprecated(operation, contract)) ? ['#   deprecated: true'] : []),
  ];
}

/** Renders the path parameters of items that no operation creates or lists. */
function renderValues({ operations }: Contract): readonly string[] {
  const names = operations.flatMap(({ parameters, items }) =>
    parameters
      .filter(({ in: place, name }) => place === 'path' && items.every(({ parameter }) => parameter !== name))
      .map(({ name }) => name),
  );
  const shown = [...new Set(names)].slice(0, mostNamed);
  return [
    '',
    '# Values that exist in the service, by the name of a parameter or property.',
    '# values:',
    ...(shown.length === 0 ? ['currency: [EUR]'] : shown.map((name) => `${scalar(name)}: [1]`)).map(
      (line) => `#   ${line}`,
    ),
  ];
}

/**
 * Renders a commented configuration for a document. Returns it with the environment variables that it needs.
 *
 * @example
 * renderConfiguration(contract, { document: 'api.yaml', output: 'cloche.yaml', schema: './s.json', url: undefined }).text;
 */
export function renderConfiguration(
  contract: Contract,
  { document, output, schema, url }: Wanted,
): { readonly text: string; readonly variables: readonly string[] } {
  const isUrl = /^https?:/iu.test(document);
  const path = isUrl ? document : relative(dirname(resolve(output)), resolve(document));
  const server = listServerUrls(contract).find((each) => /^https?:/iu.test(each));
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    `# Cloche for ${contract.title} ${contract.version}, ${plural(contract.operations.length, 'operation')}.`.replaceAll(
      /\s+/gu,
      ' ',
    ),
    '# Every option of a command is a key here, in camelCase: cloche test --help-all lists them.',
    '# ${NAME} takes a value from the environment, ${NAME:-usual} with a default.',
    `document: ${scalar(path)}`,
    '',
    '# The service that cloche test, learn and proxy talk to. Without it, test runs on the mock.',
    url === undefined ? `# url: ${scalar(server ?? 'http://127.0.0.1:8080')}` : `url: ${scalar(url)}`,
    ...renderCredentials(contract, url),
    ...renderHeaders(contract),
    ...renderSelection(contract),
    ...renderValues(contract),
    '',
    '# Behaviour that the document does not specify: cloche learn -o policy.yaml writes it.',
    '# policy: policy.yaml',
    '',
    'test:',
    '  # maxTime: 60        # seconds',
    '  # maxCreates: 200    # never create more items',
    '  # strict: true       # warnings fail too',
    '  # reports: { junit: junit.xml, html: report.html }',
    '',
    'mock:',
    '  port: 4010',
    '  # data: data.yaml    # initial resources',
  ];
  const text = `${lines.join('\n')}\n`;
  const used = lines.filter((line) => !line.startsWith('#')).join('\n');
  const variables = [...new Set([...used.matchAll(/\$\{([^}:]+)\}/gu)].map(([, name = '']) => name))];
  return { text, variables };
}
