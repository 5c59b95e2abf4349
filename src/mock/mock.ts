import type { Contract } from '../contract/contract.ts';
import type { Send } from '../http/send.ts';
import type { Policy } from '../policy/policy.ts';
import type { MockClock } from './clock/mock-clock.ts';
import type { ListenOptions } from './mock-options.ts';

/** A mock that listens. */
export interface Listener {
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

/** A service that answers as its contract and policy say, and remembers what was created. */
export interface Mock {
  /** As it is now: change() takes up another. */
  readonly contract: Contract;
  /** With every question answered; as it is now: change() takes up another. */
  readonly policy: Policy;
  /** The time that the mock goes by. */
  readonly clock: MockClock;
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
  /** Stops listening everywhere, and lets go of the store. */
  readonly close: () => Promise<void>;
  /**
   * Takes up another contract or other answers while it runs. Requests under way end as they began, and the state
   * stays.
   *
   * @param next.policy - answers in place of all those that the mock was given
   * @throws ClocheError where the contract or the policy cannot be used; the mock goes on as it was
   */
  readonly change: (next: {
    readonly contract?: Contract;
    readonly policy?: Partial<Policy>;
  }) => Promise<void>;
  /** Forgets everything that was created. */
  readonly reset: () => Promise<void>;
}
