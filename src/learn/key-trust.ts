/** How much is to be made of a refusal of a key that was never sent: a live store may hold it all the same. */
export interface KeyTrust {
  /** With how many further keys a refused request is tried. */
  readonly further: number;
  /** Takes note of what a request came to, and of whether it was refused with another key before. */
  readonly learn: (of: { readonly wasRefused: boolean; readonly isTaken: boolean }) => void;
}

const usual = 1;
/** Even where every second key is taken, few requests are refused so often for that. */
const most = 5;

/** Creates the trust in the keys of one operation; it goes once a key turns out to be another's. */
export function createKeyTrust(): KeyTrust {
  let further = usual;
  return {
    get further() {
      return further;
    },
    learn({ wasRefused, isTaken }) {
      further = wasRefused && isTaken ? most : further;
    },
  };
}

/** The most requests that are sent in the place of one. */
export const mostTries: number = most + 1;
