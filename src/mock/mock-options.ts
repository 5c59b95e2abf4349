import type { Policy } from '../policy/policy.ts';
import type { ControlOptions } from './control/control-options.ts';
import type { ServePage } from './control/serve-page.ts';
import type { CorsOptions } from './cors-options.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import type { GivenRows } from './state/to-state-rows.ts';
import type { RequestLogEntry } from './request-log-entry.ts';
import type { Store } from './store/store.ts';

/** How a mock is to be. */
export interface MockOptions {
  /**
   * Answers to what the document leaves open.
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
   * Which pages of other origins may use it; false lets none, and leaves OPTIONS to the contract.
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
   * the contract has one collection. Each is checked as the body of a create is.
   *
   * @example
   * const mock = await createMock('orders.yaml', { data: { '/orders': [{ id: 1 }, { id: 2 }] } });
   * const { total } = await mock.state.list('/orders'); // 2
   */
  readonly data?: GivenRows;
  /**
   * How many resources are made up for each collection that `data` has none of; the same ones under the same `seed`.
   *
   * @defaultValue 0
   *
   * @example
   * const mock = await createMock('orders.yaml', { dataCount: 50, seed: 7 });
   */
  readonly dataCount?: number;
  /**
   * What everything that looks random follows from: which requests go wrong, how late an
   * answer comes, what the data is that is made up.
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
  /**
   * 0 for any that is free.
   *
   * @defaultValue 0
   */
  readonly port?: number;
  /** @defaultValue '127.0.0.1' */
  readonly host?: string;
}
