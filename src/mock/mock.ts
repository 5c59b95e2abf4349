import type { Contract } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { checkOptionNames } from '../errors/suggest.ts';
import type { DispatcherOptions, HttpDispatcher } from '../http/dispatcher.ts';
import type { Send } from '../http/message.ts';
import type { Policy } from '../policy/policy.ts';
import type { MockClock } from './clock.ts';
import type { ControlOptions } from './control/control.ts';
import type { ServePage } from './control/operation.ts';
import type { FaultRule, FaultRules } from './faults/fault.ts';
import type { RequestLog } from './log/filter.ts';
import type { RequestLogEntry } from './log/log-line.ts';
import type { ResetPart } from './message.ts';
import type { ChangeReport } from './state/migrate-state.ts';
import type { MockChange } from './reload.ts';
import type { CorsOptions } from './request/cors.ts';
import type { DataReport, GivenRows, MockState } from './state/rows.ts';
import type { Store, StoreLocation } from './store/store.ts';

/** How a mock is to be. */
export interface MockOptions {
  /**
   * Answers to what the document does not specify.
   *
   * @defaultValue those of defaultPolicy
   */
  readonly policy?: Partial<Policy>;
  /**
   * The credentials that are let in: bearer tokens, API keys, and `user:password` of basic authentication.
   * A list turns `accepted-tokens` to `listed`, unless the policy says otherwise.
   *
   * @defaultValue any that is not empty
   */
  readonly tokens?: readonly string[];
  /** Is told of each request when it was answered. */
  readonly log?: (entry: RequestLogEntry) => void;
  /**
   * About how much memory the requests in the log may take, in bytes; 0 keeps none.
   *
   * @defaultValue 1048576
   */
  readonly logBytes?: number;
  /**
   * The time, in milliseconds since 1970.
   *
   * @defaultValue that of Date, one that a test has put in its place too
   */
  readonly clock?: () => number;
  /**
   * Whether references out of the document's folder and over the network are followed.
   *
   * @defaultValue false
   */
  readonly allowReferences?: boolean;
  /**
   * Which pages of other origins may use it; false lets none.
   *
   * @defaultValue any origin, with credentials
   */
  readonly cors?: CorsOptions | false;
  /**
   * Where the state is kept: `memory:`, `file:orders.db` (SQLite, with the package libsql), or
   * `redis://[user:password@]host[:port][/database][?prefix=name]`, `rediss://` with TLS (with the package ioredis); or a
   * store, which is left open when the mock is closed.
   *
   * The state of a file or a Redis outlives the mock, and mocks that name the same one share it. Without a prefix, the
   * keys of a Redis begin with `cloche:` and the title of the contract.
   *
   * @defaultValue memory:
   */
  readonly store?: string | Store;
  /**
   * Is told, in a sentence, when the store goes away, and when it is back.
   *
   * @defaultValue console.warn
   */
  readonly warn?: (sentence: string) => void;
  /** Rules that make requests go wrong, in force from the start. */
  readonly faults?: readonly FaultRule[];
  /**
   * Resources that are there from the start, and again after reset(): by the path of their collection, or alone where
   * the contract has one collection. Each is checked as the body of a create is; a singleton is one object. `none` for
   * nothing.
   *
   * @defaultValue the items in the examples of the document's responses, where the service makes their ids
   *
   * @example
   * const mock = await createMock('orders.yaml', { data: { '/orders': [{ id: 1 }, { id: 2 }] } });
   * const { total } = await mock.state.list('/orders'); // 2
   */
  readonly data?: GivenRows | 'none';
  /**
   * How many resources there are at the start in each collection that `data` has none of, nested ones below each item: those in
   * the examples of the document, unless `data` is given, and made-up ones, the same under the same `seed`.
   *
   * @defaultValue 0
   *
   * @example
   * const mock = await createMock('orders.yaml', { dataCount: 50, seed: 7 });
   */
  readonly dataCount?: number;
  /**
   * What everything that looks random follows from: which requests go wrong, how late an answer comes, which data is made up.
   *
   * @defaultValue 1
   */
  readonly seed?: number;
  /**
   * The control interface under `/__cloche`, which shows and changes what the mock holds; false for none.
   *
   * @defaultValue for programs on this machine
   */
  readonly control?: ControlOptions | false;
  /**
   * Gives the web page of the control interface.
   *
   * @defaultValue that of the package, which is read when it is first asked for; none in a browser
   *
   * @example
   * const mock = await createMock('orders.yaml');
   * const { url } = await mock.listen(); // and a browser shows the page at `${url}/__cloche/`
   */
  readonly inspector?: () => Promise<ServePage>;
}

/** Where a mock is to listen. */
export interface ListenOptions {
  /** @defaultValue 0, for any that is free */
  readonly port?: number;
  /** @defaultValue '127.0.0.1' */
  readonly host?: string;
}

interface Kind {
  readonly takes: string;
  readonly fits: (value: unknown) => boolean;
  /** How it is written. */
  readonly example: string;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function callback(example: string): Kind {
  return { takes: 'a function', fits: (value) => typeof value === 'function', example };
}

function objectOrFalse(example: string): Kind {
  return { takes: 'an object or false', fits: (value) => value === false || isObject(value), example };
}

/** What those accept whose values are looked at nowhere else before they are used. */
const kinds: Readonly<Record<keyof MockOptions, Kind | undefined>> = {
  policy: {
    takes: 'an object of answers',
    fits: isObject,
    example: '{ "duplicate-key": "conflict" }, or what readPolicyFile() reads',
  },
  tokens: {
    takes: 'a list of texts',
    fits: (value) => Array.isArray(value) && value.every((token) => typeof token === 'string'),
    example: '["secret"]',
  },
  log: callback('(entry) => console.log(entry)'),
  logBytes: undefined,
  clock: callback('() => Date.now(), and set the time with mock.clock.set()'),
  allowReferences: { takes: 'true or false', fits: (value) => typeof value === 'boolean', example: 'true' },
  cors: objectOrFalse('{ origins: ["http://localhost:5173"] }, or leave it out for any origin'),
  store: {
    takes: 'a text or a Store',
    fits: (value) => typeof value === 'string' || isObject(value),
    example: '"file:orders.db"',
  },
  warn: callback('(sentence) => console.warn(sentence)'),
  faults: { takes: 'a list of rules', fits: Array.isArray, example: '[{ delay: [200, 900] }]' },
  data: undefined,
  dataCount: undefined,
  seed: { takes: 'a whole number', fits: Number.isSafeInteger, example: '7' },
  control: objectOrFalse('{ token: "secret" }, or leave it out for programs on this machine'),
  inspector: callback('async () => createInspector()'),
};

function describe(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : `of type ${typeof value}`;
}

/**
 * Looks whether the options of a mock are known and of the right kinds, as who writes JavaScript has no compiler.
 *
 * @throws ClocheError OPTION_INVALID which names the first that is not
 */
export function checkMockOptions(options: MockOptions): void {
  checkOptionNames(options, { names: Object.keys(kinds), attempt: 'use the option' });
  for (const [name, kind] of Object.entries(kinds)) {
    // `as`: Object.entries gives the names as mere texts.
    const value: unknown = options[name as keyof MockOptions];
    if (value !== undefined && kind?.fits(value) === false) {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'use the option',
        subject: name,
        // Not the value, which may be a secret.
        reason: `it takes ${kind.takes}, and is ${describe(value)}${Array.isArray(value) ? ' of something else' : ''}`,
        remedy: `Write ${name}: ${kind.example}`,
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

/** Whether what a mock is made of is a contract already, and no document that is still to be read. */
export function isContract(given: unknown): given is Contract {
  return typeof given === 'object' && given !== null && 'operations' in given && 'placeOf' in given;
}

/** A mock that listens; `await using` closes it. */
export interface Listener extends AsyncDisposable {
  /** `http://127.0.0.1:4010`, without a final slash; `http://0.0.0.0:4010` or `http://[::]:4010` on all addresses. */
  readonly url: string;
  /** Whether it listens on an address that other machines may reach. */
  readonly isOpenToOthers: boolean;
  /** Takes no more requests, and resolves when those in flight are answered, or after two seconds. */
  readonly close: () => Promise<void>;
}

/**
 * A service that answers as its contract and policy say, and remembers what was created.
 *
 * @example
 * await using mock = await createMock('orders.yaml'); // is closed where the block ends, also where it throws
 */
export interface Mock extends AsyncDisposable {
  /** As it is now: change() takes up another. */
  readonly contract: Contract;
  /** With every question answered; as it is now: change() takes up another. */
  readonly policy: Policy;
  /** Current notices, one line each, such as an unusable document. The caller sets them; the control interface shows them. */
  notices: readonly string[];
  /** Where its state is kept, and how many resources were there when it began. */
  readonly store: StoreLocation;
  /** The mock's time. */
  readonly clock: MockClock;
  /** What it remembers, to be looked into and changed. */
  readonly state: MockState;
  /** What became of the data to start from when it was last brought in; undefined where there is none. */
  readonly dataReport: DataReport | undefined;
  /** What it was asked, and what came of it. */
  readonly requests: RequestLog;
  /** The fault rules. */
  readonly faults: FaultRules;
  /**
   * Answers as a server would, without a network. A URL needs no particular host: its path counts.
   *
   * @example
   * const response = await mock.fetch('/orders', { method: 'POST', headers, body });
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** Answers a request byte for byte as a server would, without a network. */
  readonly send: Send;
  /**
   * Listens for requests over HTTP. A mock may listen in several places; all share one state.
   *
   * @throws ClocheError PORT_UNAVAILABLE where it cannot listen there
   */
  readonly listen: (options?: ListenOptions) => Promise<Listener>;
  /**
   * Makes a dispatcher of undici, so that code which calls the global `fetch`, or undici itself, is answered by the
   * mock, without a port and without a change to that code. A URL needs no particular host, but for those that
   * `origins` leaves out.
   *
   * @throws ClocheError OPTION_INVALID for an origin that is none
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
   * Stops listening everywhere, ends what its dispatchers have under way, and lets go of the store. From then on `fetch`,
   * `send`, `listen` and `dispatcher` reject with a ClocheError MOCK_CLOSED; to close it again does nothing.
   */
  readonly close: () => Promise<void>;
  /**
   * Takes up another contract or other answers while it runs. Requests under way end as they began. The state stays as
   * far as it fits; what does not fit any more is set aside, and comes back with a change after which it fits.
   *
   * @returns what became of the state
   * @throws ClocheError where the contract or the policy cannot be used; the mock goes on as it was
   * @throws DataError which names each row that the contract does not take; the state stays as it was
   */
  readonly change: (next: MockChange) => Promise<ChangeReport>;
  /**
   * Brings everything back to how it was at the start, or some parts of it: the state to the data to start from, the
   * rules that make requests go wrong, the request log, the clock and the policy. Snapshots stay.
   *
   * @param parts - all where left out
   * @throws ClocheError OPTION_INVALID for a part that there is not
   */
  readonly reset: (parts?: readonly ResetPart[]) => Promise<void>;
}
