import type { Judged } from '../check/judged.ts';

/** What one run shares among all of its properties. */
export interface RunMemory {
  /** The keys that were sent, by operation and value. */
  readonly sentKeys: Set<string>;
  /** The ids of the operations that took a plain request. */
  readonly taken: Set<string>;
  /** Texts of plain bodies that nobody else would write, by which an answer is known for another's. */
  readonly sentTexts: Set<string>;
  longestPlainBody: number;
  plainSent: number;
  plainAccepted: number;
  /** The exchanges that were broken off, and when, since something was answered that was sent later. */
  brokenOff: { readonly judged: Judged; readonly at: number }[];
  /** Whether anything was ever answered. */
  wasThere: boolean;
  /** Whether no connection comes about any more. */
  isGone: boolean;
}

/** What a run remembers before its first request. */
export function createRunMemory(): RunMemory {
  return {
    sentKeys: new Set(),
    taken: new Set(),
    sentTexts: new Set(),
    longestPlainBody: 0,
    plainSent: 0,
    plainAccepted: 0,
    brokenOff: [],
    wasThere: false,
    isGone: false,
  };
}
