import type { Options } from 'yargs';
import { usualResponseLimit } from '../http/message.ts';

/** What a command takes that starts from data. */
export interface DataArguments {
  readonly data: string | undefined;
  /** As it was written. */
  readonly 'data-count': unknown;
  readonly seed: unknown;
}

/** What `cloche test` takes. */
export interface TestArguments {
  readonly 'base-url': string | undefined;
  readonly document: string | undefined;
  readonly policy: string | undefined;
  readonly answer: readonly string[];
  readonly 'allow-references': boolean;
  readonly token: string | undefined;
  readonly against: string | undefined;
  readonly 'against-token': string | undefined;
  readonly header: readonly string[];
  readonly suite: readonly string[];
  readonly runs: number;
  readonly seed: number | undefined;
  readonly path: string | undefined;
  readonly ids: string | undefined;
  readonly connections: number;
  readonly timeout: number;
  readonly 'response-limit': number;
  readonly rate: number | undefined;
  readonly 'rate-wait': number;
  readonly 'max-time': number | undefined;
  readonly strict: boolean;
  readonly baseline: string | undefined;
  readonly 'update-baseline': boolean;
  readonly coverage: boolean;
  readonly report: readonly string[];
  readonly 'unsafe-methods': boolean;
  readonly insecure: boolean;
  readonly ca: string | undefined;
  readonly bail: boolean;
}

/** What `cloche learn` takes. */
export interface LearnArguments {
  readonly 'base-url': string;
  readonly output: string | undefined;
  readonly document: string | undefined;
  readonly 'allow-references': boolean;
  readonly token: string | undefined;
  readonly header: readonly string[];
  readonly insecure: boolean;
  readonly ca: string | undefined;
  readonly timeout: number;
  readonly 'response-limit': number;
  readonly ids: string | undefined;
  readonly question: readonly string[];
  readonly trials: number;
  readonly 'max-requests': number;
  readonly rate: number | undefined;
  readonly 'rate-wait': number;
  readonly 'dry-run': boolean;
}

/** What a command takes that lets pages of other origins in. */
export interface CorsArguments {
  readonly cors: boolean;
  readonly 'cors-origin': readonly string[];
}

/** What a command takes that makes answers go wrong. */
export interface FaultArguments {
  readonly delay: unknown;
  readonly faults: unknown;
}

/** The options of every command that reads a document. */
export const contractOptions: Readonly<Record<'document' | 'allow-references', Options>> = {
  document: {
    type: 'string',
    requiresArg: true,
    alias: 'd',
    describe: 'OpenAPI 3.0 or 3.1, YAML or JSON, a file or a URL',
    defaultDescription: 'the one that ships with Cloche',
  },
  'allow-references': {
    type: 'boolean',
    describe: "Follow references out of the document's folder and over the network",
  },
};

/** What an option that may be given again is for yargs; a text that looks like a number stays a text. */
export const listOption: {
  readonly type: 'string';
  readonly array: true;
  readonly nargs: 1;
  readonly default: readonly string[];
  readonly defaultDescription: string;
} = { type: 'string', array: true, nargs: 1, default: [], defaultDescription: 'none' };

/** The options that say which pages of other origins may use a mock. */
export const corsOptions: {
  readonly cors: {
    readonly type: 'boolean';
    readonly default: true;
    readonly defaultDescription: string;
    readonly describe: string;
  };
  readonly 'cors-origin': typeof listOption & { readonly describe: string };
} = {
  cors: {
    type: 'boolean',
    default: true,
    defaultDescription: 'on',
    describe: 'Let pages of other origins in (CORS); --no-cors lets none, and leaves OPTIONS to the document',
  },
  'cors-origin': {
    ...listOption,
    defaultDescription: 'any',
    describe: 'An origin whose pages are let in, as in http://localhost:5173; may be given again',
  },
};

interface DataOption {
  readonly requiresArg: true;
  readonly describe: string;
  readonly defaultDescription?: string;
}

/** The options that say what a mock starts from. */
export const dataOptions: {
  readonly data: DataOption & { readonly type: 'string' };
  readonly 'data-count': DataOption;
  readonly seed: DataOption;
} = {
  data: {
    type: 'string',
    requiresArg: true,
    describe: 'Resources to start from: a JSON, YAML or NDJSON file, { "/orders": [ … ] } or rows alone',
  },
  'data-count': {
    requiresArg: true,
    defaultDescription: '0',
    describe: 'Make up so many resources for each collection that --data has none of',
  },
  seed: {
    requiresArg: true,
    defaultDescription: '1',
    describe: 'What all that looks random follows from, the data that is made up for one',
  },
};

/** What an option with one text is for yargs. */
interface TextOption {
  readonly type: 'string';
  readonly requiresArg: true;
  readonly defaultDescription: string;
  readonly describe: string;
}

/** The options that say what goes wrong with the answers of a mock. */
export const faultOptions: { readonly delay: TextOption; readonly faults: TextOption } = {
  delay: {
    type: 'string',
    requiresArg: true,
    defaultDescription: 'none',
    describe: 'Hold every answer back, MS or FROM..TO milliseconds',
  },
  faults: {
    type: 'string',
    requiresArg: true,
    defaultDescription: 'none',
    describe: 'A file of rules that make requests go wrong, JSON or YAML',
  },
};

/** The options of every command that takes answers to what a document leaves open. */
export const policyOptions: {
  readonly policy: {
    readonly type: 'string';
    readonly requiresArg: true;
    readonly describe: string;
    readonly defaultDescription: string;
  };
  readonly answer: typeof listOption & { readonly describe: string };
} = {
  policy: {
    type: 'string',
    requiresArg: true,
    describe: 'A file of answers to what the document leaves open, JSON or YAML',
    defaultDescription: 'none',
  },
  answer: {
    ...listOption,
    describe: 'One such answer, QUESTION=ANSWER or OPERATION:QUESTION=ANSWER; may be given again',
  },
};

/** The options of every command that talks to a service. */
export const reachOptions: Readonly<
  Record<'token' | 'header' | 'insecure' | 'ca' | 'timeout' | 'response-limit', Options>
> = {
  token: {
    type: 'string',
    requiresArg: true,
    describe: 'A token that the service accepts; user:password for basic authentication',
    defaultDescription: '$CLOCHE_TOKEN',
  },
  header: {
    ...listOption,
    alias: 'H',
    describe: 'A header field for every request, "Name: value"; may be given again',
  },
  insecure: { type: 'boolean', describe: "Take any certificate of the service's" },
  ca: {
    type: 'string',
    requiresArg: true,
    describe: 'A file with the certificate authority to trust, PEM',
  },
  timeout: { requiresArg: true, default: 5_000, describe: 'Milliseconds that one answer may take' },
  'response-limit': {
    requiresArg: true,
    default: usualResponseLimit,
    defaultDescription: '16 MiB',
    describe: 'Bytes of an answer to read; the content of a longer one is not judged',
  },
};

/** The option of every command that judges. */
export const reportOption: Readonly<Record<'report', Options>> = {
  report: {
    ...listOption,
    describe: 'Write a report besides: junit, json, html, github or har, KIND=FILE; may be given again',
  },
};

/** What every command takes that is given answers to what a document leaves open. */
export interface PolicyArguments {
  readonly document: string | undefined;
  readonly policy: string | undefined;
  readonly answer: readonly string[];
}

/** What `cloche mock` takes. */
export interface MockArguments extends DataArguments, FaultArguments, CorsArguments {
  readonly document: string | undefined;
  readonly policy: string | undefined;
  readonly answer: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly token: readonly string[];
  readonly 'token-file': string | undefined;
  readonly 'allow-references': boolean;
  readonly store: string | undefined;
  readonly watch: boolean;
  readonly control: boolean;
  readonly 'control-token': string | undefined;
  readonly log: 'lines' | 'json';
  readonly quiet: boolean;
}
