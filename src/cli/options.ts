/** An option or an argument: what it takes, and what the help says of it, in the words of yargs. */
export interface Option {
  /** A `switch` takes nothing; `texts` and `tokens` may be given again; an `argument` may be empty. */
  readonly kind: 'switch' | 'text' | 'texts' | 'token' | 'tokens' | 'argument' | 'word' | 'number' | 'whole';
  readonly describe: string;
  readonly alias?: string;
  /** The smallest number that it takes. @defaultValue 0 */
  readonly from?: number;
  /** The largest number that it takes. @defaultValue the largest one that is exact */
  readonly to?: number;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** What the help says of the default. */
  readonly defaultDescription?: string;
  /** Options that it cannot be given with. */
  readonly conflicts?: readonly string[];
}

/** Every option of the commands that read a document, each once; a command may say otherwise what it is for. */
export const options = {
  'base-url': { kind: 'text', describe: 'Where the service lives, a path prefix included' },
  files: { kind: 'texts', describe: 'HAR 1.2 files, of a browser or another tool' },
  output: { kind: 'text', alias: 'o', describe: 'Write it into this file' },
  document: {
    kind: 'text',
    alias: 'd',
    describe: 'OpenAPI 3.0 or 3.1, YAML or JSON, a file or a URL',
    defaultDescription: 'the one that ships with Cloche',
  },
  'allow-references': {
    kind: 'switch',
    describe: "Follow references out of the document's folder and over the network",
  },
  policy: {
    kind: 'text',
    describe: 'A file of answers to what the document does not specify, JSON or YAML',
    defaultDescription: 'none',
  },
  answer: {
    kind: 'texts',
    describe: 'One such answer, QUESTION=ANSWER or OPERATION:QUESTION=ANSWER; may be given again',
  },
  port: { kind: 'whole', to: 65_535, alias: 'p', default: 4010, describe: 'Port; 0 takes any free one' },
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
  'token-file': { kind: 'text', describe: 'A file with accepted tokens, one a line' },
  header: {
    kind: 'texts',
    alias: 'H',
    describe: 'A header field for every request, "Name: value"; may be given again',
  },
  insecure: { kind: 'switch', describe: "Take any certificate of the service's" },
  ca: { kind: 'text', describe: 'A file with the certificate authority to trust, PEM' },
  'response-limit': {
    kind: 'whole',
    from: 1_024,
    to: 268_435_456,
    // That of the client of http/, which a test holds it to.
    default: 16_777_216,
    defaultDescription: '16 MiB',
    describe: 'Bytes of an answer to read; the content of a longer one is not judged',
  },
  against: {
    kind: 'text',
    describe: 'Send the same to the mock, or to another base URL, and tell where they differ',
    defaultDescription: 'nothing',
  },
  'against-token': {
    kind: 'token',
    describe: 'A token that the other service accepts',
    defaultDescription: 'that of --token',
  },
  connections: {
    kind: 'whole',
    from: 1,
    to: 1_000,
    alias: 'c',
    default: 10,
    describe: 'Requests under way at once',
  },
  timeout: {
    kind: 'whole',
    from: 1,
    to: 3_600_000,
    default: 5_000,
    describe: 'Milliseconds that one answer may take',
  },
  rate: {
    kind: 'number',
    from: 0.01,
    to: 1_000_000,
    describe: 'The most requests a second',
    defaultDescription: 'no limit',
  },
  'rate-wait': {
    kind: 'number',
    to: 86_400,
    default: 60,
    describe: 'Seconds to wait for 429 and 503 in all',
  },
  'max-time': {
    kind: 'number',
    from: 0.001,
    to: 31_536_000,
    describe: 'Seconds after which no further case is begun',
    defaultDescription: 'no limit',
  },
  suite: { kind: 'texts', describe: 'Run only this suite; may be given again', defaultDescription: 'all' },
  runs: { kind: 'whole', from: 1, to: 1_000_000, default: 100, describe: 'Cases that each property tries' },
  ids: {
    kind: 'text',
    describe: 'Draw keys from this range, FROM-TO',
    defaultDescription: 'random for a base URL',
  },
  'unsafe-methods': { kind: 'switch', describe: 'Send undeclared PUT, PATCH and DELETE to a base URL too' },
  seed: {
    kind: 'whole',
    // What fast-check takes as it is.
    from: -2_147_483_647,
    to: 2_147_483_647,
    describe: 'Repeat a run; each prints its own',
    defaultDescription: 'random',
  },
  path: { kind: 'text', describe: 'Replay one case, as a finding prints it' },
  question: {
    kind: 'texts',
    describe: 'Ask only this question, and keep what the file says of others; may be given again',
    defaultDescription: 'all',
  },
  trials: { kind: 'whole', from: 1, to: 100, default: 3, describe: 'How often each question is asked' },
  'max-requests': {
    kind: 'whole',
    from: 1,
    to: 1_000_000,
    default: 5_000,
    describe: 'No more requests are sent',
  },
  'dry-run': { kind: 'switch', describe: 'Send nothing, and list what would be sent' },
  data: {
    kind: 'text',
    describe: 'Resources to start from: a JSON, YAML or NDJSON file, { "/orders": [ … ] } or rows alone',
  },
  'data-count': {
    kind: 'whole',
    // More would take longer to make up than anybody waits for.
    to: 100_000,
    defaultDescription: '0',
    describe: 'Make up so many resources for each collection that --data has none of',
  },
  delay: {
    kind: 'text',
    defaultDescription: 'none',
    describe: 'Hold every answer back, MS or FROM..TO milliseconds',
  },
  faults: {
    kind: 'text',
    defaultDescription: 'none',
    describe: 'A file of rules that make requests go wrong, JSON or YAML',
  },
  cors: {
    kind: 'switch',
    default: true,
    defaultDescription: 'on',
    describe: 'Let pages of other origins in (CORS); --no-cors lets none, and leaves OPTIONS to the document',
  },
  'cors-origin': {
    kind: 'texts',
    defaultDescription: 'any',
    describe: 'An origin whose pages are let in, as in http://localhost:5173; may be given again',
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
    describe: 'Take up changes of the document, the policy, the data and the fault rules while it runs',
  },
  control: {
    kind: 'switch',
    default: true,
    defaultDescription: 'on, for this machine',
    describe: 'Show and change under /__cloche/ what the mock holds; --no-control switches it off',
  },
  'control-token': {
    kind: 'token',
    defaultDescription: '$CLOCHE_CONTROL_TOKEN, or none',
    describe: 'What /__cloche/ wants from other machines, where --host lets them in',
  },
  log: {
    kind: 'word',
    choices: ['lines', 'json'],
    default: 'lines',
    describe: 'How requests are logged: a line each to read, or JSON that cloche/log.schema.json describes',
  },
  'judge-limit': {
    kind: 'whole',
    to: 1_073_741_824,
    default: 1_048_576,
    defaultDescription: '1 MiB',
    describe: 'Bytes of content to judge; longer content passes and is counted',
  },
  mark: { kind: 'switch', describe: 'Name the exchange in each answer: Cloche-Exchange: 17' },
  quiet: { kind: 'switch', alias: 'q', describe: 'Do not log exchanges, only what is found' },
  json: { kind: 'switch', describe: 'Print it for programs, as explain.schema.json has it' },
  overlay: { kind: 'switch', describe: 'Print an OpenAPI overlay that declares the answers given' },
  coverage: { kind: 'switch', describe: 'Print what of the contract was exercised, keyword by keyword' },
  report: {
    kind: 'texts',
    describe: 'Write a report besides: junit, json, html, github or har, KIND=FILE; may be given again',
  },
  strict: { kind: 'switch', describe: 'Warnings fail too' },
  baseline: {
    kind: 'text',
    describe: 'A file of findings that are known and may pass, JSON or YAML',
    defaultDescription: 'none',
  },
  'update-baseline': {
    kind: 'switch',
    describe: 'Write what was found into that file, and take out what is gone',
  },
  bail: { kind: 'switch', describe: 'Stop at the first violation that is not known' },
  // From here on: what drives a running mock.
  mock: {
    kind: 'text',
    describe: 'Where the mock listens',
    defaultDescription: '$CLOCHE_MOCK, or http://127.0.0.1:4010',
  },
  only: {
    kind: 'text',
    describe: 'Only these parts, with commas between: state, faults, requests, clock, policy',
    defaultDescription: 'all',
  },
  name: { kind: 'argument', describe: 'What it is called' },
  collection: { kind: 'argument', describe: 'The path of its collection, /shops/7/orders' },
  key: { kind: 'argument', describe: 'What it is kept under' },
  resource: { kind: 'argument', describe: 'Its JSON, or a file that holds it, or - for standard input' },
  file: {
    kind: 'argument',
    describe: 'What export gave, or a data file: JSON, YAML or NDJSON; - for standard input',
  },
  merge: { kind: 'switch', describe: 'Keep what is there, but for what has the same key' },
  fault: {
    kind: 'texts',
    describe:
      'delay=MS or delay=FROM..TO, status=CODE, example=NAME, retry-after=SECONDS, drop, truncate; several go together',
  },
  time: { kind: 'argument', describe: 'A date, or a date with its time' },
  duration: { kind: 'argument', describe: 'How much later: 500ms, 90s, 5m, 2h, 1d' },
  operation: { kind: 'text', describe: 'The id of the operation' },
  method: { kind: 'text', describe: 'The method' },
  status: { kind: 'whole', describe: 'The status of the answer' },
  verdict: { kind: 'text', choices: ['accepted', 'refused', 'forced'], describe: 'What came of it' },
  condition: { kind: 'text', describe: 'Why it was refused: invalid-body, duplicate-key …' },
  search: { kind: 'text', describe: 'A text that target, body or message holds' },
  after: { kind: 'whole', describe: 'Requests with a higher number' },
  offset: { kind: 'whole', describe: 'Pass over so many' },
  limit: { kind: 'whole', describe: 'The newest so many', defaultDescription: 'all' },
  wait: {
    kind: 'whole',
    describe: 'Wait so many milliseconds at most until one is there; exit code 1 where none came',
  },
  times: { kind: 'whole', describe: 'So often', defaultDescription: 'at least once' },
  'at-least': { kind: 'whole', describe: 'At least so often' },
  'at-most': { kind: 'whole', describe: 'At most so often' },
  share: { kind: 'number', to: 1, describe: 'Only this share of them, 0 to 1; which ones, the seed decides' },
  id: { kind: 'argument', describe: 'Its number, as list shows it' },
  body: { kind: 'text', describe: 'What the body holds at least, as JSON, or a file with it' },
} as const;

type Table = typeof options;

/** The name of an option, without hyphens before it. */
type OptionName = keyof Table;

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

/** What is left undefined where it is not given. */
type ValueOf<Entry> = Entry extends { readonly kind: infer Kind extends keyof Values }
  ?
      | (Entry extends { readonly choices: readonly (infer Word)[] } ? Word : Values[Kind])
      | (Entry extends { readonly kind: 'switch' | 'texts' | 'tokens' } | { readonly default: unknown }
          ? never
          : undefined)
  : never;

/** The values of some options, as a command reads them. */
export type Picked<Name extends OptionName> = { readonly [Each in Name]: ValueOf<Table[Each]> };

/** A command as it is written down. */
export interface Command {
  /** `test [base-url]` */
  readonly usage: string;
  readonly describe: string;
  /** What its help says first, line by line. */
  readonly about?: readonly string[];
  /** What it takes, in the order of its help: what is under a name with a colon has that for its title there. */
  readonly options?: Readonly<Record<string, readonly OptionName[]>>;
  /** What it says otherwise of them than the table. */
  readonly own?: Readonly<Partial<Record<OptionName, Partial<Option>>>>;
  /** Command lines without the name of the program, each with what it does, line by line. */
  readonly examples?: readonly (readonly [line: string, ...effect: readonly string[]])[];
  /** Lines on what it ends with. */
  readonly exitCodes?: readonly string[];
}

type NamesOf<Written> = Written extends { readonly options: infer Titled }
  ? Titled extends Readonly<Record<string, readonly (infer Name extends OptionName)[]>>
    ? Name
    : never
  : never;

type EntryOf<Written, Name extends OptionName> = Written extends {
  readonly own: { readonly [Each in Name]: infer Own };
}
  ? Omit<Table[Name], keyof Own> & Own
  : Table[Name];

type IsDemanded<Usage, Name extends string> = Usage extends `${string}<${Name}${'>' | '..>'}${string}`
  ? true
  : false;

/** What a command is given: the type follows from the options that it picks. */
export type ArgumentsOf<Written extends Command> = {
  readonly [Name in NamesOf<Written>]: IsDemanded<Written['usage'], Name> extends true
    ? NonNullable<ValueOf<EntryOf<Written, Name>>>
    : ValueOf<EntryOf<Written, Name>>;
};

/** What a command was given, as yargs has it, and how it is to be read. */
export interface Given<Arguments> {
  readonly options: { readonly [Name in keyof Arguments]: Option };
  /** A list where an option was given again, a text where it is no number. */
  readonly values: Readonly<Record<string, unknown>>;
}
