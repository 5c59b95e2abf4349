import type { RequestCase } from '../arbitrary/request-case.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Contract } from '../contract/contract.ts';
import type { ProbeItems } from '../policy/behaviour.ts';
import type { Policy } from '../policy/policy.ts';

/** The ids of requests that belong together, by placeholder. Each id is drawn fresh when it is first used. */
export interface IdContext {
  /** Other ids. Their items are used if no item was created under these ids; the first that has one counts. */
  readonly above?: readonly IdContext[];
  /** @returns a number that no other context of the run returns, from which the id is derived */
  readonly serial: (slot: number) => number;
}

/** The interface through which a property sends its requests. */
export interface Session {
  readonly contract: Contract;
  readonly policy: Policy;
  /** The base URL for the paths of the document; undefined for a service in the process. */
  readonly baseUrl?: string | undefined;
  /**
   * Creates fresh ids for requests that belong together: later requests with the same ids refer to the items that the
   * creates created. Items of a nested collection belong to the items that the ids `above` created.
   */
  openIdContext(...above: readonly IdContext[]): IdContext;
  /** Opens the items of a probe of the policy. `trace` has the exchanges so far. */
  openProbeItems(): ProbeItems & { readonly trace: readonly CheckedExchange[] };
  /**
   * Sends a request, waits for the response and checks it. Concurrent requests with one id context compete for its ids:
   * each of them may find its id in use.
   */
  send(request: RequestCase, keys: IdContext): Promise<CheckedExchange>;
  /**
   * Waits if the last exchanges of a trace, from an index on, contradict the earlier ones, although the document states a
   * lag between changes and responses that is not over. Repeated calls wait longer each time.
   *
   * @returns whether to send the last requests again, instead of these exchanges
   */
  waitsForLag(trace: readonly CheckedExchange[], from: number): Promise<boolean>;
}
