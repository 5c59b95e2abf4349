import type { Mounted } from '../control/mounted.ts';
import type { Responder } from '../steps/responder.ts';

/** A responder whose steps can be changed while it runs. */
export interface LiveResponder {
  /** Stays the same; requests that are under way end as they began. */
  readonly responder: Responder;
  /** Has the next requests answered by other steps. */
  readonly change: (responder: Responder) => void;
}

/**
 * Makes a responder whose steps can be changed while it runs.
 *
 * @param mounted - stays the same
 */
export function createLiveResponder(first: Responder, mounted?: Mounted): LiveResponder {
  let current = first;
  return {
    responder: {
      mounted,
      get contentLimit() {
        return current.contentLimit;
      },
      admit: (head) => current.admit(head),
      // What was admitted carries its operation, so that any steps may answer it.
      respond: (admitted, content) => current.respond(admitted, content),
      conclude: (answered, content) => current.conclude(answered, content),
      refuse: (rejection) => current.refuse(rejection),
    },
    change(responder) {
      current = responder;
    },
  };
}
