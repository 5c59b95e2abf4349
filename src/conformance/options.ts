import type { HeaderList } from '../http/message.ts';
import type { FetchHandler } from '../http/fetch-send.ts';
import type { NodeApp } from '../http/memory-connection.ts';
import type { OptionName } from '../config/command-options.ts';
import type { Option } from '../config/option.ts';
import { options as table } from '../config/options.ts';
import type { KnownValuesInput } from '../contract/read-known-values.ts';
import type { Selection } from '../contract/selection.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { checkOptionNames } from '../errors/suggest.ts';
import type { Policy } from '../policy/policy.ts';
import type { Extension } from '../runner/extension.ts';
import type { RunOptions } from '../session/target.ts';
import type { UrlTargetOptions } from '../session/url-target.ts';

/** Options of conformance tests. One of `url`, `app` and `fetch` names the service. */
export interface ConformanceOptions
  extends
    Pick<
      UrlTargetOptions,
      'token' | 'credentials' | 'users' | 'connections' | 'timeoutMs' | 'responseLimit' | 'insecure'
    >,
    Pick<
      RunOptions,
      'path' | 'runs' | 'rate' | 'unsafeMethods' | 'readOnly' | 'keep' | 'isolated' | 'maxCreates'
    >,
    Selection {
  /**
   * The base URL of the service; a function if it is known only when the tests run. With `app` or `fetch`, it sets the
   * path prefix and the Host of the requests.
   */
  readonly url?: string | (() => string | Promise<string>);
  /** Another name of `url`. */
  readonly baseUrl?: ConformanceOptions['url'];
  /** An app of node:http: Express, Fastify, Koa's `app.callback()`, a listener or a server. It needs no port. */
  readonly app?: NodeApp;
  /** A handler of fetch: `app.fetch` of Hono, Bun and Deno. It needs no port. */
  readonly fetch?: FetchHandler;
  /** Header fields for every request. @defaultValue none */
  readonly headers?: Readonly<Record<string, string>> | HeaderList;
  /** A certificate authority to trust: PEM, or the path of a PEM file. */
  readonly ca?: string;
  /** OpenAPI 2.0 to 3.2, a file or a URL. @defaultValue that of the policy file, else the one that ships with Cloche */
  readonly document?: string | URL;
  /** Whether references to files outside the document's folder and to URLs are followed. @defaultValue false */
  readonly allowReferences?: boolean;
  /** Overlays to apply to the document, files or URLs, in order. @defaultValue none */
  readonly overlaysIn?: readonly string[];
  /** Whether a document with any error is rejected. @defaultValue false */
  readonly strictDocument?: boolean;
  /**
   * Policy values to enforce on the service for unspecified behaviour, or the path of a policy file.
   *
   * @defaultValue none
   */
  readonly policy?: string | Partial<Policy>;
  /** Policy values that override those of `policy`. @defaultValue none */
  readonly answers?: Partial<Policy>;
  /**
   * The base URL of a second service that receives the same requests, with the same credentials. A difference fails.
   *
   * @defaultValue none
   */
  readonly against?: string;
  /** The seed of the cases. @defaultValue 1, which makes the verdict of a test repeatable */
  readonly seed?: number;
  /** The ids of the suites to run. @defaultValue all */
  readonly suites?: readonly string[];
  /** User-written checks, suites, hooks and formats. Each test is a run and calls the run hooks. @defaultValue none */
  readonly extensions?: readonly Extension[];
  /** The ids that creates may use, within 1 to 2^31−1. @defaultValue a random range for each run */
  readonly ids?: readonly [from: number, to: number];
  /** The total time to wait after 429 and 503, in seconds. @defaultValue 30 in a test of one property, else 60 */
  readonly rateWait?: number;
  /** The maximum time of a test, in seconds; then it stops. @defaultValue no limit */
  readonly maxTime?: number;
  /** The maximum time of a response, in milliseconds; a longer one fails. @defaultValue no limit */
  readonly maxResponseTime?: number;
  /** Known values by the name of a parameter or property, for valid requests. @defaultValue none */
  readonly values?: NonNullable<KnownValuesInput['configured']>;
  /** Whether warnings fail too. @defaultValue false */
  readonly strict?: boolean;
  /** The path of a file of known findings, which may pass. @defaultValue none */
  readonly baseline?: string;
}

/** The option of the command line with the limits of each option; undefined if there is none. */
const flags: Readonly<Record<keyof ConformanceOptions, OptionName | undefined>> = {
  url: 'base-url',
  baseUrl: 'base-url',
  app: undefined,
  fetch: undefined,
  token: 'token',
  headers: 'header',
  insecure: 'insecure',
  ca: 'ca',
  connections: 'connections',
  timeoutMs: 'timeout',
  responseLimit: 'response-limit',
  document: 'document',
  allowReferences: 'allow-references',
  strictDocument: 'strict-document',
  overlaysIn: 'overlay-in',
  policy: 'policy',
  answers: 'answer',
  against: 'against',
  extensions: undefined,
  suites: 'suite',
  seed: 'seed',
  path: 'path',
  runs: 'runs',
  ids: 'ids',
  rate: 'rate',
  rateWait: 'rate-wait',
  maxTime: 'max-time',
  unsafeMethods: 'unsafe-methods',
  readOnly: 'read-only',
  keep: 'keep',
  include: undefined,
  exclude: undefined,
  isolated: 'isolated',
  maxCreates: 'max-creates',
  maxResponseTime: 'max-response-time',
  values: undefined,
  credentials: undefined,
  users: undefined,
  strict: 'strict',
  baseline: 'baseline',
};

function checkNumber(
  name: string,
  value: unknown,
  { kind, from = 0, to = Number.MAX_SAFE_INTEGER }: Option,
): void {
  const isNumeric = kind === 'number' || kind === 'whole';
  if (!isNumeric || value === undefined) return;
  const fits = typeof value === 'number' && value >= from && value <= to;
  if (fits && (kind === 'number' || Number.isInteger(value))) return;
  throw new ClocheError('OPTION_INVALID', {
    attempt: `use the option ${name}`,
    subject: JSON.stringify(value) ?? 'undefined',
    reason: `it takes a ${kind === 'whole' ? 'whole ' : ''}number from ${from} to ${to}`,
    remedy: `Give another ${name}, or leave it out`,
  });
}

/**
 * Checks the options of conformance tests.
 *
 * @throws ClocheError OPTION_INVALID for an unknown option, a number out of its range, or if no service or several are
 * given
 */
export function checkConformanceOptions(options: ConformanceOptions): void {
  checkOptionNames(options, { names: Object.keys(flags), attempt: 'use the option' });
  for (const [name, flag] of Object.entries(flags)) {
    if (flag !== undefined) checkNumber(name, Reflect.get(options, name), table[flag]);
  }
  const { url, baseUrl, app, fetch } = options;
  const services = [url ?? baseUrl, app, fetch].filter((service) => service !== undefined).length;
  const isTwice = (app !== undefined && fetch !== undefined) || (url !== undefined && baseUrl !== undefined);
  if (services > 0 && !isTwice) return;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'test',
    subject: services === 0 ? 'nothing' : 'several services',
    reason: services === 0 ? 'no service is given' : 'one service can be tested at a time',
    remedy: 'Give the url of a service, or an app, or a fetch handler',
  });
}

/**
 * Returns header fields as a list.
 *
 * @throws ClocheError OPTION_INVALID for a name or a value that no header field can have, without showing the value
 */
export function toHeaders(given: ConformanceOptions['headers'] = {}): HeaderList {
  // `as`: Array.isArray does not recognize a readonly list.
  const list = Array.isArray(given) ? (given as HeaderList) : Object.entries(given);
  for (const [name, value] of list) {
    try {
      void new Headers([[name, value]]);
    } catch {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'use the option headers with the field',
        subject: name,
        reason: 'its name or its value cannot be that of a header field',
        remedy: 'Write it as headers: { "X-Tenant": "acme" }',
      });
    }
  }
  return list;
}
