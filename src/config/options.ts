import type { JsonValue } from '../json/value.ts';
import type { ConfiguredSetting, Option } from './option.ts';

/** Every option of the commands that read a document, each once; a command may override its description. */
export const options = {
  'base-url': { key: 'url', kind: 'text', describe: 'Base URL of the service, with any path prefix' },
  files: { kind: 'texts', describe: 'HAR 1.2 files, or logs of cloche mock --log exchanges' },
  output: { isPath: true, kind: 'text', alias: 'o', describe: 'Write to this file' },
  document: {
    isPath: true,
    kind: 'text',
    alias: 'd',
    describe: 'OpenAPI 2.0 to 3.2, YAML or JSON, a file or a URL',
    defaultDescription: 'the one that ships with Cloche',
  },
  'allow-references': {
    kind: 'switch',
    describe: "Follow references to files outside the document's folder and to URLs",
  },
  'strict-document': {
    kind: 'switch',
    describe: 'Reject a document with any error; by default small errors are warnings',
  },
  policy: {
    isPath: true,
    kind: 'text',
    describe: 'A policy: how the service behaves where the document does not specify it, JSON or YAML',
    defaultDescription: 'none',
  },
  answer: {
    key: 'answers',
    pairs: { between: '=', isJson: true },
    kind: 'texts',
    describe: 'One answer of a policy, QUESTION=ANSWER or OPERATION:QUESTION=ANSWER; repeatable',
  },
  extension: {
    kind: 'texts',
    describe:
      'A file with checks, suites, hooks, formats or codecs of your own, JavaScript or TypeScript; repeatable',
    defaultDescription: 'none',
  },
  port: { kind: 'whole', to: 65_535, alias: 'p', default: 4010, describe: 'Port; 0 for any free one' },
  host: {
    kind: 'text',
    default: '127.0.0.1',
    defaultDescription: '127.0.0.1',
    describe: 'Address to listen on',
  },
  token: {
    isSecret: true,
    kind: 'token',
    describe: 'A token that the service accepts; user:password for basic authentication',
    defaultDescription: '$CLOCHE_TOKEN',
  },
  credential: {
    kind: 'texts',
    describe: 'A credential for one security scheme, SCHEME=VALUE; repeatable',
    defaultDescription: 'the --token',
  },
  'token-command': {
    kind: 'text',
    describe: 'A command that prints the token; run again if the service rejects it',
  },
  'token-file': { isPath: true, kind: 'text', describe: 'A file of accepted tokens, one per line' },
  header: {
    key: 'headers',
    pairs: { between: ': ' },
    kind: 'texts',
    alias: 'H',
    describe: 'A header field for every request, "Name: value"; repeatable',
  },
  insecure: { kind: 'switch', describe: 'Accept any TLS certificate of the service' },
  ca: { isPath: true, kind: 'text', describe: 'A certificate authority to trust, a PEM file' },
  'client-cert': {
    isPath: true,
    kind: 'text',
    describe: 'The certificate to present to the service, a PEM file',
  },
  'client-key': { isPath: true, kind: 'text', describe: 'The private key of --client-cert, a PEM file' },
  proxy: {
    kind: 'text',
    describe: 'A proxy for all requests, http://user:password@127.0.0.1:3128',
    defaultDescription: '$HTTPS_PROXY or $HTTP_PROXY, without $NO_PROXY',
  },
  'wait-for-service': {
    kind: 'number',
    to: 86_400,
    describe: 'Seconds to wait until the service answers, before anything is tested',
    defaultDescription: 'none',
  },
  'response-limit': {
    kind: 'whole',
    from: 1_024,
    to: 268_435_456,
    // Equal to the default of the client in http/; a test checks this.
    default: 16_777_216,
    defaultDescription: '16 MiB',
    describe: 'Bytes to read of a response; the content of a longer one is not judged',
  },
  against: {
    kind: 'text',
    describe: 'Send the same requests to the mock, or to another base URL, and report differences',
    defaultDescription: 'nothing',
  },
  'against-token': {
    isSecret: true,
    kind: 'token',
    describe: 'A token for the other service',
    defaultDescription: 'the --token',
  },
  connections: {
    kind: 'whole',
    from: 1,
    to: 1_000,
    alias: 'c',
    default: 10,
    describe: 'Requests in flight at the same time',
  },
  timeout: {
    kind: 'whole',
    from: 1,
    to: 3_600_000,
    default: 5_000,
    describe: 'Milliseconds to wait for each response',
  },
  rate: {
    kind: 'number',
    from: 0.01,
    to: 1_000_000,
    describe: 'Maximum requests per second',
    defaultDescription: 'no limit',
  },
  'rate-wait': {
    kind: 'number',
    to: 86_400,
    default: 60,
    describe: 'Total seconds to wait after 429 and 503',
  },
  'max-time': {
    kind: 'number',
    from: 0.001,
    to: 31_536_000,
    describe: 'Seconds from the start of the command; the run stops then',
    defaultDescription: 'no limit',
  },
  suite: {
    key: 'suites',
    kind: 'texts',
    describe: 'Run only this suite; repeatable',
    defaultDescription: 'all',
  },
  runs: {
    kind: 'whole',
    from: 1,
    to: 1_000_000,
    describe: 'Cases to try for each property',
    defaultDescription: '100, fewer where there are many operations',
  },
  ids: {
    kind: 'text',
    describe: 'Take ids from this range, FROM-TO',
    defaultDescription: 'random for a base URL',
  },
  'unsafe-methods': {
    kind: 'switch',
    describe: 'Also send PUT, PATCH and DELETE to what the run did not make',
  },
  'read-only': { kind: 'switch', describe: 'Send nothing but GET, HEAD and OPTIONS' },
  'max-creates': {
    kind: 'whole',
    describe: 'Create at most this many items; other cases are not sent',
    defaultDescription: 'no limit',
  },
  keep: { kind: 'switch', describe: 'Leave what the run made; else it is deleted at the end' },
  'include-operation': {
    kind: 'texts',
    key: 'include.operations',
    describe: 'Only operations of this id; * matches a part; repeatable',
  },
  'include-tag': {
    kind: 'texts',
    key: 'include.tags',
    describe: 'Only operations with this tag; repeatable',
  },
  'include-path': {
    kind: 'texts',
    key: 'include.paths',
    describe: 'Only paths of this pattern, /admin/**; repeatable',
  },
  'include-method': { kind: 'texts', key: 'include.methods', describe: 'Only this method; repeatable' },
  'exclude-operation': {
    kind: 'texts',
    key: 'exclude.operations',
    describe: 'Not operations of this id; * matches a part; repeatable',
  },
  'exclude-tag': { kind: 'texts', key: 'exclude.tags', describe: 'Not operations with this tag; repeatable' },
  'exclude-path': {
    kind: 'texts',
    key: 'exclude.paths',
    describe: 'Not paths of this pattern, /admin/**; repeatable',
  },
  'exclude-method': { kind: 'texts', key: 'exclude.methods', describe: 'Not this method; repeatable' },
  'exclude-deprecated': {
    kind: 'switch',
    key: 'exclude.deprecated',
    describe: 'Not operations that the document deprecates',
  },
  list: {
    kind: 'switch',
    isFlagOnly: true,
    describe: 'Send nothing; list the operations that would be tested',
  },
  smoke: {
    kind: 'switch',
    isFlagOnly: true,
    describe: 'Send one valid request of each operation, and print it',
  },
  isolated: {
    kind: 'switch',
    describe: 'Never send excluded operations, not even to create items for the others',
  },
  seed: {
    kind: 'whole',
    // The range of seeds that fast-check uses unchanged.
    from: -2_147_483_647,
    to: 2_147_483_647,
    describe: 'Repeat a run by its seed, which each run prints',
    defaultDescription: 'random',
  },
  shard: {
    kind: 'text',
    describe: 'Run one of several parts, 2/5; cloche merge makes one report of all',
    defaultDescription: 'the whole run',
    conflicts: ['path'],
  },
  path: { kind: 'text', describe: 'Replay one case, as a finding prints it' },
  question: {
    key: 'questions',
    kind: 'texts',
    describe: "Ask only this question, and keep the file's other answers; repeatable",
    defaultDescription: 'all',
  },
  trials: { kind: 'whole', from: 1, to: 100, default: 3, describe: 'Times to ask each question' },
  'max-requests': {
    kind: 'whole',
    from: 1,
    to: 1_000_000,
    default: 5_000,
    describe: 'Maximum requests to send',
  },
  'dry-run': { kind: 'switch', isFlagOnly: true, describe: 'Send nothing; list what would be sent' },
  data: {
    isPath: true,
    kind: 'text',
    defaultDescription: 'the items in the examples of the document',
    describe: 'Initial resources: a JSON, YAML or NDJSON file, { "/orders": [ … ] } or just rows; none',
  },
  'data-count': {
    kind: 'whole',
    // Generating more would take too long.
    to: 100_000,
    defaultDescription: '0',
    describe: 'Generate this many resources for each collection, or parent, that --data does not fill',
  },
  delay: {
    kind: 'text',
    defaultDescription: 'none',
    describe: 'Delay every response, by MS or FROM..TO milliseconds',
  },
  faults: {
    isPath: true,
    kind: 'text',
    defaultDescription: 'none',
    describe: 'A file of fault rules, JSON or YAML',
  },
  cors: {
    kind: 'switch',
    default: true,
    defaultDescription: 'on',
    describe: 'Allow web pages of other origins (CORS); --no-cors allows none',
  },
  'cors-origin': {
    key: 'corsOrigins',
    kind: 'texts',
    defaultDescription: 'any',
    describe: 'An allowed origin, as in http://localhost:5173; repeatable',
  },
  store: {
    isPath: true,
    kind: 'text',
    defaultDescription: 'memory:',
    describe: 'Where to keep the state: file:orders.db, or redis://localhost:6379?prefix=orders',
  },
  watch: {
    kind: 'switch',
    default: true,
    defaultDescription: 'on; URLs are not watched',
    describe: 'Reload the document, the policy, the data and the fault rules when they change',
  },
  control: {
    kind: 'switch',
    default: true,
    defaultDescription: 'on, for this machine',
    describe: 'Serve the inspector and the control interface at /__cloche/; --no-control switches them off',
  },
  'control-token': {
    isSecret: true,
    kind: 'token',
    defaultDescription: '$CLOCHE_CONTROL_TOKEN, or none',
    describe: 'Token that other machines need for /__cloche/; without one only this machine may use it',
  },
  log: {
    kind: 'word',
    choices: ['lines', 'json', 'exchanges'],
    default: 'lines',
    describe: 'Request log: lines, json (cloche/log.schema.json), or exchanges, JSON that check can judge',
  },
  preflights: {
    kind: 'switch',
    default: false,
    defaultDescription: 'off',
    describe: 'Log the preflights of browsers (CORS), too',
  },
  'judge-limit': {
    kind: 'whole',
    to: 268_435_456,
    default: 1_048_576,
    defaultDescription: '1 MiB',
    describe: 'Bytes of content to judge; longer content is forwarded and counted',
  },
  mark: {
    kind: 'switch',
    describe: 'Add the number of the exchange to each response, as in Cloche-Exchange: 17',
  },
  quiet: { kind: 'switch', alias: 'q', describe: 'Do not log exchanges, only findings' },
  json: { kind: 'switch', describe: 'Print JSON (cloche/explain.schema.json)' },
  samples: {
    kind: 'switch',
    describe: 'List the samples that do not fit their schemas, of more than 50 operations too',
  },
  overlay: { kind: 'switch', describe: 'Print an OpenAPI Overlay that declares the given answers' },
  coverage: {
    kind: 'switch',
    describe: 'Print which parts of the contract were exercised, keyword by keyword',
  },
  report: {
    key: 'reports',
    pairs: { between: '=' },
    isPath: true,
    kind: 'texts',
    describe:
      'Also write a report, as KIND=FILE; repeatable. KIND is junit, json, html, github, gitlab, sarif, markdown, ctrf or har',
  },
  strict: { kind: 'switch', describe: 'Warnings fail too' },
  'min-coverage': {
    kind: 'number',
    to: 100,
    describe: 'Fail where fewer percent of the operations were answered with a success',
    defaultDescription: 'none',
  },
  'max-response-time': {
    kind: 'number',
    from: 0.001,
    to: 3_600_000,
    describe: 'Milliseconds from a request to the end of its response; a later one is a violation',
    defaultDescription: 'no limit',
  },
  verbose: {
    kind: 'switch',
    describe: 'Print each property, what the document does not specify, and what was not checked',
    conflicts: ['quiet'],
  },
  baseline: {
    isPath: true,
    kind: 'text',
    describe: 'A file of known findings that may pass, JSON or YAML',
    defaultDescription: 'none',
  },
  'update-baseline': {
    kind: 'switch',
    describe: 'Add new findings to that file, and remove those that are gone',
  },
  bail: { kind: 'switch', describe: 'Stop at the first new violation' },
  config: {
    kind: 'text',
    describe: 'Configuration; --no-config reads none',
    defaultDescription: 'cloche.yaml or the like, found upwards',
  },
  service: { kind: 'text', describe: 'The service of the configuration', defaultDescription: 'all' },
  // From here on: options of the commands for a running mock.
  mock: {
    kind: 'text',
    describe: 'Base URL of the running mock',
    defaultDescription: '$CLOCHE_MOCK, or http://127.0.0.1:4010',
  },
  only: {
    kind: 'text',
    describe: 'Only these parts, comma-separated: state, faults, requests, clock, policy',
    defaultDescription: 'all',
  },
  name: { kind: 'argument', describe: 'Its name' },
  collection: { kind: 'argument', describe: 'The path of its collection, /shops/7/orders' },
  key: { kind: 'argument', describe: 'Its id' },
  resource: { kind: 'argument', describe: 'The resource as JSON, a file with it, or - for standard input' },
  file: {
    kind: 'argument',
    describe: 'An export, or a data file: JSON, YAML or NDJSON; - for standard input',
  },
  merge: { kind: 'switch', describe: 'Keep existing resources, except those with the same id' },
  fault: {
    kind: 'texts',
    describe:
      'delay=MS or delay=FROM..TO, status=CODE, example=NAME, retry-after=SECONDS, drop, truncate; several go together',
  },
  time: { kind: 'argument', describe: 'A date, or a date with its time' },
  duration: { kind: 'argument', describe: 'How much later: 500ms, 90s, 5m, 2h, 1d' },
  operation: { kind: 'text', describe: 'The id of the operation' },
  method: { kind: 'text', describe: 'The method' },
  status: { kind: 'whole', describe: 'The status of the response' },
  verdict: { kind: 'text', choices: ['accepted', 'refused', 'forced'], describe: 'What came of it' },
  item: { kind: 'text', describe: 'The item that it was about, by its path: /orders/7' },
  condition: { kind: 'text', describe: 'Why it was refused: invalid-body, duplicate-key …' },
  search: { kind: 'text', describe: 'Text in the target, body or message' },
  after: { kind: 'whole', describe: 'Requests with a higher number' },
  offset: { kind: 'whole', describe: 'Skip this many' },
  limit: { kind: 'whole', describe: 'Only the newest', defaultDescription: 'all' },
  wait: {
    kind: 'whole',
    describe: 'Wait up to this many milliseconds for one; exit code 1 if none came',
  },
  times: { kind: 'whole', describe: 'So often', defaultDescription: 'at least once' },
  'at-least': { kind: 'whole', describe: 'At least so often' },
  'at-most': { kind: 'whole', describe: 'At most so often' },
  share: { kind: 'number', to: 1, describe: 'Only this share of them, 0 to 1, chosen by the seed' },
  id: { kind: 'argument', describe: 'Its number, as list shows it' },
  body: { kind: 'text', describe: 'JSON that the body contains, or a file with it' },
} as const;

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

type EntryOf<Written, Name extends OptionName> = Written extends {
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
  /** The places of the values that are not from the command line, by option: `cloche.yaml:3:7`, `$CLOCHE_PORT`. */
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
