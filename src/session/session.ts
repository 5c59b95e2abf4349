import type { RequestCase } from '../arbitrary/request-case.ts';
import type { CheckedExchange } from '../check/reading/subject.ts';
import type { Contract } from '../contract/contract.ts';
import type { Policy } from '../policy/policy.ts';

/** The ids of requests that belong together, by placeholder. Each id is drawn fresh when it is first used. */
export interface KeyBinding {
  /** Other ids. Their items are used if no item was created under these ids; the first that has one counts. */
  readonly above?: readonly KeyBinding[];
  /** @returns a number that no other binding of the run gives, from which the key is made */
  readonly serial: (slot: number) => number;
}

/** What a property sends its requests through. */
export interface Session {
  readonly contract: Contract;
  readonly policy: Policy;
  /** Where the paths of the document begin; undefined where the service is in the process. */
  readonly baseUrl?: string | undefined;
  /**
   * Fresh keys, for the requests that belong together: what a create makes is what later requests with the same keys
   * name in their paths. Items of a collection below others lie below what the keys `above` made.
   */
  bindKeys(...above: readonly KeyBinding[]): KeyBinding;
  /**
   * Sends a request, waits for its answer, and has it judged. Requests that are under way together with one binding
   * race for its keys, so that any of them may find its key in use.
   */
  send(request: RequestCase, keys: KeyBinding): Promise<CheckedExchange>;
}
