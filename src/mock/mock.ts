import type { Contract } from '../contract/contract.ts';
import type { DispatcherOptions } from '../http/dispatcher-options.ts';
import type { HttpDispatcher } from '../http/http-dispatcher.ts';
import type { Send } from '../http/send.ts';
import type { Policy } from '../policy/policy.ts';
import type { MockClock } from './clock/mock-clock.ts';
import type { ResetPart } from './control/reset-part.ts';
import type { ChangeReport } from './live/change-report.ts';
import type { FaultRules } from './faults/fault-rule.ts';
import type { RequestLog } from './log/request-log.ts';
import type { ListenOptions } from './mock-options.ts';
import type { StorePlace } from './store/store-place.ts';
import type { DataReport } from './state/data-report.ts';
import type { MockState } from './state/mock-state.ts';
import type { GivenRows } from './state/to-state-rows.ts';

/** A mock that listens; `await using` closes it. */
export interface Listener extends AsyncDisposable {
  /**
   * `http://127.0.0.1:4010`, without a slash at its end. Where it listens on all addresses of the machine,
   * that is `http://0.0.0.0:4010` or `http://[::]:4010`.
   */
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
  /**
   * What is to be known of it at present, a line each: for one, that a document that changed cannot be used. Whoever
   * runs it sets them; the control interface shows them.
   */
  notices: readonly string[];
  /** Where its state is kept, and how many resources were there when it began. */
  readonly store: StorePlace;
  /** The time that the mock goes by. */
  readonly clock: MockClock;
  /** What it remembers, to be looked into and changed. */
  readonly state: MockState;
  /** What became of the data to start from when it was last brought in; undefined where there is none. */
  readonly dataReport: DataReport | undefined;
  /** What it was asked, and what came of it. */
  readonly requests: RequestLog;
  /** The rules that make requests go wrong. */
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
   * @param next.policy - answers in place of all those that the mock was given, or what makes them of those: then no
   *   change that comes at the same time is lost
   * @param next.isStart - whether reset() is to come back to these answers; false where left out
   * @param next.data - other data to start from: rows that changed are put, and rows that are not in it any more are
   *   taken away unless they were changed since
   * @returns what became of the state
   * @throws ClocheError where the contract or the policy cannot be used; the mock goes on as it was
   * @throws DataError which names each row that the contract does not take; the state stays as it was
   */
  readonly change: (next: {
    readonly contract?: Contract;
    readonly policy?: Partial<Policy> | ((given: Partial<Policy>) => Partial<Policy>);
    readonly isStart?: boolean;
    readonly data?: GivenRows;
  }) => Promise<ChangeReport>;
  /**
   * Brings everything back to how it was at the start, or some parts of it: the state to the data to start from, the
   * rules that make requests go wrong, the request log, the clock and the policy. Snapshots stay.
   *
   * @param parts - all where left out
   * @throws ClocheError OPTION_INVALID for a part that there is not
   */
  readonly reset: (parts?: readonly ResetPart[]) => Promise<void>;
}
