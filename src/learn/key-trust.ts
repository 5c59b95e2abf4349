/** The meaning of a rejected request with a new id. A live store may already contain the id. */
export interface KeyTrust {
  /** The number of further ids with which a rejected request is retried. */
  readonly further: number;
  /** Records the result of a request, and whether it was rejected with another id before. */
  readonly learn: (of: { readonly wasRefused: boolean; readonly isAccepted: boolean }) => void;
}

const usual = 1;
/** Even if every second id exists, few requests are rejected this often because of that. */
const most = 5;

/** Creates the trust in the ids of one operation. It drops if an id turns out to exist already. */
export function createKeyTrust(): KeyTrust {
  let further = usual;
  return {
    get further() {
      return further;
    },
    learn({ wasRefused, isAccepted }) {
      further = wasRefused && isAccepted ? most : further;
    },
  };
}

/** The maximum number of requests that are sent instead of one. */
export const mostTries: number = most + 1;
