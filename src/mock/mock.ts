import type { Contract } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { checkOptionNames } from '../errors/suggest.ts';
import type { DispatcherOptions, HttpDispatcher } from '../http/dispatcher.ts';
import type { Send } from '../http/message.ts';
import type { Policy } from '../policy/policy.ts';
import type { CallbackMode, Callbacks, SentCallback } from './callbacks/callback.ts';
import type { MockClock } from './clock.ts';
import type { ControlOptions } from './control/control.ts';
import type { ServePage } from './control/operation.ts';
import type { FaultRule, FaultRules } from './faults/fault.ts';
import type { RequestLog } from './log/filter.ts';
import type { RequestLogEntry } from './log/log-line.ts';
import type { ResetPart } from './message.ts';
import type { ChangeReport } from './state/migrate-state.ts';
import type { MockChange } from './reload.ts';
import type { RecordedExchange } from './replay/recording.ts';
import type { CorsOptions } from './request/cors.ts';
import type { DataReport, GivenRows, MockState } from './state/rows.ts';
import type { Store, StoreLocation } from './store/store.ts';
import type { Validation } from './tolerance.ts';
import type { Handler, HandlerResponse, Handlers } from './user-handlers/handler.ts';

/** Options of a mock. */
export interface MockOptions {
  /**
   * Values for behaviours that the document does not specify.
   *
   * @defaultValue those of defaultPolicy
   */
  readonly policy?: Partial<Policy>;
  /**
   * The accepted credentials: bearer tokens, API keys, and `user:password` of basic authentication. A list sets
   * `accepted-tokens` to `listed`, unless the policy sets it.
   *
   * @defaultValue any that is not empty
   */
  readonly tokens?: readonly string[];
  /** Receives each request when it was answered. */
  readonly log?: (entry: RequestLogEntry) => void;
  /**
   * The approximate memory for the requests in the log, in bytes; 0 keeps none.
   *
   * @defaultValue 1048576
   */
  readonly logBytes?: number;
  /**
   * Returns the time, in milliseconds since 1970.
   *
   * @defaultValue that of Date, also of one that a test has replaced
   */
  readonly clock?: () => number;
  /**
   * Whether references to places outside the document's folder and over the network are followed.
   *
   * @defaultValue false
   */
  readonly allowReferences?: boolean;
  /**
   * The origins whose pages may use the mock; false allows none.
   *
   * @defaultValue any origin, with credentials
   */
  readonly cors?: CorsOptions | false;
  /**
   * The location of the state: `memory:`, `file:orders.db` (SQLite, with the package libsql), or
   * `redis://[user:password@]host[:port][/database][?prefix=name]`, `rediss://` with TLS, or
   * `redis+cluster://host:port,host:port` (with the package ioredis); or a store, which the mock does not close.
   *
   * The state in a file or a Redis outlives the mock; mocks with the same location share it. Without a prefix, the keys
   * in a Redis begin with `cloche:` and the title of the contract.
   *
   * @defaultValue memory:
   */
  readonly store?: string | Store;
  /**
   * Receives a sentence when the store becomes unavailable, when it is available again, and about unusable recordings.
   *
   * @defaultValue console.warn
   */
  readonly warn?: (sentence: string) => void;
  /** Fault rules that are active from the start. */
  readonly faults?: readonly FaultRule[];
  /**
   * Initial resources, which reset() restores: by the path of their collection, or alone if the contract has only one
   * collection. Each is checked like the body of a create; a singleton is one object. `none` for no resources.
   *
   * @defaultValue the items in the examples of the document's responses, if the service generates their ids
   *
   * @example
   * const mock = await createMock('orders.yaml', { data: { '/orders': [{ id: 1 }, { id: 2 }] } });
   * const { total } = await mock.state.list('/orders'); // 2
   */
  readonly data?: GivenRows | 'none';
  /**
   * Handlers, or fixed responses, by the id of their operation, or by its method and path (`GET /orders/{id}`). They
   * answer valid requests in place of the mock.
   *
   * @defaultValue none
   *
   * @example
   * const mock = await createMock('shop.yaml', {
   *   handlers: { getTotal: async ({ query, respond }) => respond(200, { total: Number(query.price) * 2 }) },
   * });
   */
  readonly handlers?: Handlers;
  /**
   * How invalid parameters and bodies are treated: `on` refuses them, `warn` accepts them and names their problems in the
   * log, `off` does not check them. Credentials are checked in any case.
   *
   * @defaultValue 'on'
   */
  readonly validate?: Validation;
  /**
   * The base URL of a real service, to which requests for unknown paths and methods are forwarded. With operations left
   * out of the contract, the mock answers a part of an API, and the service the rest. Not available in a browser.
   *
   * @defaultValue none
   */
  readonly fallback?: string;
  /**
   * Recorded exchanges with a real service. The nearest one of its operation answers a request, until its item is
   * created, changed or deleted; the policy still decides which requests are valid.
   *
   * @defaultValue none
   */
  readonly replay?: readonly RecordedExchange[];
  /**
   * The hosts to which the mock sends the callbacks that the document declares, after a response from 200 to 299: none,
   * this machine, or all. Not available in a browser.
   *
   * @defaultValue 'off'
   *
   * @example
   * const mock = await createMock('shop.yaml', { callbacks: 'loopback' });
   */
  readonly callbacks?: CallbackMode;
  /** Receives each callback and webhook when its outcome is known. */
  readonly logCallback?: (callback: SentCallback) => void;
  /**
   * The number of initial resources in each collection for which `data` has none; for a nested collection, per parent
   * item. They are the examples of the document, unless `data` is given, and generated ones. The same `seed` generates
   * the same resources.
   *
   * @defaultValue 0
   *
   * @example
   * const mock = await createMock('orders.yaml', { dataCount: 50, seed: 7 });
   */
  readonly dataCount?: number;
  /**
   * The seed of all random choices: which requests fail, how long responses are delayed, and the generated data.
   *
   * @defaultValue 1
   */
  readonly seed?: number;
  /**
   * The control interface under `/__cloche`, which shows and changes the state of the mock; false for none.
   *
   * @defaultValue for programs on this machine
   */
  readonly control?: ControlOptions | false;
  /**
   * Returns the web page of the control interface.
   *
   * @defaultValue that of the package, which is loaded when it is first requested; none in a browser
   *
   * @example
   * const mock = await createMock('orders.yaml');
   * const { url } = await mock.listen(); // and a browser shows the page at `${url}/__cloche/`
   */
  readonly inspector?: () => Promise<ServePage>;
}

/** The address at which a mock listens. */
export interface ListenOptions {
  /** @defaultValue 0, for any free port */
  readonly port?: number;
  /** @defaultValue '127.0.0.1' */
  readonly host?: string;
  /**
   * Serves HTTPS, with HTTP/2 for clients that speak it: with this certificate, or with one for localhost that is made at
   * the first use and kept in the cache folder of the user.
   *
   * @defaultValue false
   */
  readonly https?: boolean | TlsFiles;
}

/** A certificate and its private key, both in PEM form. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

interface Kind {
  readonly takes: string;
  readonly fits: (value: unknown) => boolean;
  /** An example value. */
  readonly example: string;
}

const kind = (takes: string, fits: Kind['fits'], example: string): Kind => ({ takes, fits, example });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): boolean => typeof value === 'string';

const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const callback = (example: string): Kind =>
  kind('a function', (value) => typeof value === 'function', example);

const objectOrFalse = (example: string): Kind =>
  kind('an object or false', (value) => value === false || isObject(value), example);

const oneOf = (values: readonly unknown[], takes: string, example: string): Kind =>
  kind(takes, (value) => values.includes(value), example);

/** The kinds of the options; undefined for an option that other code checks before use. */
const kinds: Readonly<Record<keyof MockOptions, Kind | undefined>> = {
  policy: kind(
    'an object of answers',
    isObject,
    '{ "duplicate-key": "conflict" }, or what readPolicyFile() reads',
  ),
  tokens: kind('a list of texts', isTextList, '["secret"]'),
  log: callback('(entry) => console.log(entry)'),
  logBytes: undefined,
  clock: callback('() => Date.now(), and set the time with mock.clock.set()'),
  allowReferences: oneOf([true, false], 'true or false', 'true'),
  cors: objectOrFalse('{ origins: ["http://localhost:5173"] }, or leave it out for any origin'),
  store: kind('a text or a Store', (value) => isText(value) || isObject(value), '"file:orders.db"'),
  warn: callback('(sentence) => console.warn(sentence)'),
  faults: kind('a list of rules', Array.isArray, '[{ delay: [200, 900] }]'),
  data: undefined,
  handlers: kind(
    'an object of functions and responses',
    isObject,
    '{ getOrder: ({ respond }) => respond(200, {}) }',
  ),
  validate: oneOf(['on', 'warn', 'off'], '"on", "warn" or "off"', '"warn"'),
  fallback: kind('a URL as a text', isText, '"http://127.0.0.1:8080"'),
  replay: kind('a list of exchanges', Array.isArray, '[{ place: "1", request, response }]'),
  callbacks: oneOf(['off', 'loopback', 'any'], '"off", "loopback" or "any"', '"loopback"'),
  logCallback: callback('(callback) => console.log(callback)'),
  dataCount: undefined,
  seed: kind('a whole number', Number.isSafeInteger, '7'),
  control: objectOrFalse('{ token: "secret" }, or leave it out for programs on this machine'),
  inspector: callback('async () => createInspector()'),
};

function describe(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : `of type ${typeof value}`;
}

/**
 * Checks that the options of a mock are known and of the right kinds, for callers in JavaScript, who have no compiler.
 *
 * @throws ClocheError OPTION_INVALID with the name of the first wrong option
 */
export function checkMockOptions(options: MockOptions): void {
  checkOptionNames(options, { names: Object.keys(kinds), attempt: 'use the option' });
  for (const [name, wanted] of Object.entries(kinds)) {
    // `as`: Object.entries types the names as string.
    const value: unknown = options[name as keyof MockOptions];
    if (value !== undefined && wanted?.fits(value) === false) {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'use the option',
        subject: name,
        // The message omits the value, which may be a secret.
        reason: `it takes ${wanted.takes}, and is ${describe(value)}${Array.isArray(value) ? ' of something else' : ''}`,
        remedy: `Write ${name}: ${wanted.example}`,
      });
    }
  }
  if (isObject(options.cors)) {
    checkOptionNames(options.cors, { names: ['origins', 'credentials'], attempt: 'use the option of cors' });
  }
  if (isObject(options.control)) {
    checkOptionNames(options.control, { names: ['token'], attempt: 'use the option of control' });
  }
}

/** Returns true if the value is a contract, rather than a document that is still to be read. */
export function isContract(given: unknown): given is Contract {
  return typeof given === 'object' && given !== null && 'operations' in given && 'placeOf' in given;
}

/** A mock that listens; `await using` closes it. */
export interface Listener extends AsyncDisposable {
  /** `http://127.0.0.1:4010` or `https://…`, without a final slash; `http://0.0.0.0:4010` or `http://[::]:4010` on all addresses. */
  readonly url: string;
  /** Whether other machines may be able to reach its address. */
  readonly isOpenToOthers: boolean;
  /** The file of the certificate that was made for localhost; undefined with HTTP or a given certificate. */
  readonly certificate?: string | undefined;
  /** Accepts no more requests, and resolves when those in flight are answered, or after two seconds. */
  readonly close: () => Promise<void>;
}

/**
 * A service that answers as its contract and policy say, and remembers what was created.
 *
 * @example
 * await using mock = await createMock('orders.yaml'); // is closed at the end of the block, also if it throws
 */
export interface Mock extends AsyncDisposable {
  /** The current contract; change() replaces it. */
  readonly contract: Contract;
  /** The current policy, with a value for every behaviour; change() replaces it. */
  readonly policy: Policy;
  /** Current notices, one line each, such as an unusable document. The caller sets them; the control interface shows them. */
  notices: readonly string[];
  /** The location of its state, and the number of resources there when the mock started. */
  readonly store: StoreLocation;
  /** The clock of the mock. */
  readonly clock: MockClock;
  /** The resources, to read and change them. */
  readonly state: MockState;
  /** The report of the latest import of initial data; undefined if there is none. */
  readonly dataReport: DataReport | undefined;
  /** The requests and their responses. */
  readonly requests: RequestLog;
  /** The callbacks and webhooks. */
  readonly callbacks: Callbacks;
  /** The fault rules. */
  readonly faults: FaultRules;
  /**
   * Sets the handler of an operation, or a fixed response. reset() restores the initial handlers.
   *
   * @param operation - the id of the operation, or its method and path: `GET /orders/{id}`
   * @returns a function that restores the previous handler
   * @throws ClocheError OPTION_INVALID for an unknown operation, or a value that is no handler
   *
   * @example
   * mock.answer('getOrder', { status: 503 });
   * mock.answer('listOrders', async ({ next }) => ({ ...(await next()), headers: { 'X-Total': '2' } }));
   */
  readonly answer: (operation: string, answer: Handler | HandlerResponse) => () => void;
  /**
   * Answers as a server would, without a network. The host of a URL is ignored; only its path counts.
   *
   * @example
   * const response = await mock.fetch('/orders', { method: 'POST', headers, body });
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** Answers a request byte for byte as a server would, without a network. */
  readonly send: Send;
  /**
   * Listens for requests over HTTP. A mock may listen at several addresses; all share one state.
   *
   * @throws ClocheError PORT_UNAVAILABLE if it cannot listen on the port
   */
  readonly listen: (options?: ListenOptions) => Promise<Listener>;
  /**
   * Creates a dispatcher of undici. The mock then answers code that calls the global `fetch`, or undici itself, without
   * a port and without a change to that code. The host of a URL is ignored, unless `origins` limits it.
   *
   * @throws ClocheError OPTION_INVALID for an invalid origin
   *
   * @example
   * import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
   *
   * const network = getGlobalDispatcher();
   * setGlobalDispatcher(await mock.dispatcher({ origins: ['https://api.example.com'] }));
   * // … and when the tests are done:
   * setGlobalDispatcher(network);
   */
  readonly dispatcher: (options?: DispatcherOptions) => Promise<HttpDispatcher>;
  /**
   * Stops listening on all addresses, aborts the requests of its dispatchers, and closes the store. Later calls of
   * `fetch`, `send`, `listen` and `dispatcher` reject with a ClocheError MOCK_CLOSED; closing it again does nothing.
   */
  readonly close: () => Promise<void>;
  /**
   * Replaces the contract or the policy while the mock runs. Requests in flight end under the old ones. Resources that
   * fit the new contract stay. The others are set aside, and come back with a change after which they fit.
   *
   * @returns what happened to the state
   * @throws ClocheError if the contract or the policy cannot be used; the mock stays unchanged
   * @throws DataError with each row that the contract does not accept; the state stays unchanged
   */
  readonly change: (next: MockChange) => Promise<ChangeReport>;
  /**
   * Resets the mock, or some parts of it: the state to the initial data, the fault rules, the request log, the clock,
   * the policy and the handlers. Snapshots stay.
   *
   * @param parts - by default, all
   * @throws ClocheError OPTION_INVALID for an unknown part
   */
  readonly reset: (parts?: readonly ResetPart[]) => Promise<void>;
}
