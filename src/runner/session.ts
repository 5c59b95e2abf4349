import type { RequestCase } from '../arbitrary/request-case.ts';
import type { Judged } from '../check/judged.ts';
import type { Contract } from '../contract/contract.ts';
import type { Policy } from '../policy/policy.ts';

/** The keys that the slots of requests that belong together stand for, drawn fresh when first asked for. */
export interface KeyBinding {
  /** @returns a number that no other binding of the run gives, from which the key is made */
  readonly serial: (slot: number) => number;
}

/** What a property sends its requests through. */
export interface Session {
  readonly contract: Contract;
  readonly policy: Policy;
  /** Fresh keys, for the requests that belong together. */
  bindKeys(): KeyBinding;
  /**
   * Sends a request, waits for its answer, and has it judged. Requests may be sent side by side; those that are
   * under way together with one binding race for its keys, so that any of them may find its key taken.
   */
  send(request: RequestCase, keys: KeyBinding): Promise<Judged>;
}
