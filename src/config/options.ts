/** An option or an argument: its values and its help text, in the terms of yargs. */
export interface Option {
  /** A `switch` has no value; `texts` and `tokens` are repeatable; an `argument` may be empty. */
  readonly kind: 'switch' | 'text' | 'texts' | 'token' | 'tokens' | 'argument' | 'word' | 'number' | 'whole';
  readonly describe: string;
  readonly alias?: string;
  /** The smallest accepted number. @defaultValue 0 */
  readonly from?: number;
  /** The largest accepted number. @defaultValue the largest exact integer */
  readonly to?: number;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** The description of the default in the help. */
  readonly defaultDescription?: string;
  /** Options that it cannot be combined with. */
  readonly conflicts?: readonly string[];
}

/** Every option of the commands that read a document, each once; a command may override its description. */
export const options = {
  'base-url': { kind: 'text', describe: 'Base URL of the service, with any path prefix' },
  files: { kind: 'texts', describe: 'HAR 1.2 files, from a browser or another tool' },
  output: { kind: 'text', alias: 'o', describe: 'Write to this file' },
  document: {
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
    kind: 'text',
    describe: 'A policy: how the service behaves where the document does not specify it, JSON or YAML',
    defaultDescription: 'none',
  },
  answer: {
    kind: 'texts',
    describe: 'One answer of a policy, QUESTION=ANSWER or OPERATION:QUESTION=ANSWER; repeatable',
  },
  port: { kind: 'whole', to: 65_535, alias: 'p', default: 4010, describe: 'Port; 0 for any free one' },
  host: {
    kind: 'text',
    default: '127.0.0.1',
    defaultDescription: '127.0.0.1',
    describe: 'Address to listen on',
  },
  token: {
    kind: 'token',
    describe: 'A token that the service accepts; user:password for basic authentication',
    defaultDescription: '$CLOCHE_TOKEN',
  },
  'token-file': { kind: 'text', describe: 'A file of accepted tokens, one per line' },
  header: {
    kind: 'texts',
    alias: 'H',
    describe: 'A header field for every request, "Name: value"; repeatable',
  },
  insecure: { kind: 'switch', describe: 'Accept any TLS certificate of the service' },
  ca: { kind: 'text', describe: 'A certificate authority to trust, a PEM file' },
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
  value: {
    kind: 'texts',
    describe:
      'A known value of a parameter or property, NAME=VALUE or NAME=@FILE, for valid requests; repeatable',
  },
  suite: { kind: 'texts', describe: 'Run only this suite; repeatable', defaultDescription: 'all' },
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
  keep: { kind: 'switch', describe: 'Leave what the run made; else it is deleted at the end' },
  seed: {
    kind: 'whole',
    // The range of seeds that fast-check uses unchanged.
    from: -2_147_483_647,
    to: 2_147_483_647,
    describe: 'Repeat a run by its seed, which each run prints',
    defaultDescription: 'random',
  },
  path: { kind: 'text', describe: 'Replay one case, as a finding prints it' },
  question: {
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
  'dry-run': { kind: 'switch', describe: 'Send nothing; list what would be sent' },
  data: {
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
    kind: 'texts',
    defaultDescription: 'any',
    describe: 'An allowed origin, as in http://localhost:5173; repeatable',
  },
  store: {
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
    kind: 'token',
    defaultDescription: '$CLOCHE_CONTROL_TOKEN, or none',
    describe: 'Token that other machines need for /__cloche/; without one only this machine may use it',
  },
  log: {
    kind: 'word',
    choices: ['lines', 'json'],
    default: 'lines',
    describe: 'Format of the request log: readable lines, or JSON (cloche/log.schema.json)',
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
    kind: 'texts',
    describe: 'Also write a report: junit, json, html, github or har, as KIND=FILE; repeatable',
  },
  strict: { kind: 'switch', describe: 'Warnings fail too' },
  'min-coverage': {
    kind: 'number',
    to: 100,
    describe: 'Fail where fewer percent of the operations were answered with a success',
    defaultDescription: 'none',
  },
  verbose: {
    kind: 'switch',
    describe: 'Print each property, what the document does not specify, and what was not checked',
    conflicts: ['quiet'],
  },
  baseline: {
    kind: 'text',
    describe: 'A file of known findings that may pass, JSON or YAML',
    defaultDescription: 'none',
  },
  'update-baseline': {
    kind: 'switch',
    describe: 'Add new findings to that file, and remove those that are gone',
  },
  bail: { kind: 'switch', describe: 'Stop at the first new violation' },
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

/** The arguments of a command as yargs returns them, and the options that describe how to read them. */
export interface Given<Arguments> {
  readonly options: { readonly [Name in keyof Arguments]: Option };
  /** A value is a list if an option is repeated, and a text if it is no number. */
  readonly values: Readonly<Record<string, unknown>>;
}
