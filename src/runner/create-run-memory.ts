import type { Judged } from '../check/judged.ts';
import { createSentKeys, type SentKeys } from './create-sent-keys.ts';
import { createSentTexts, type SentTexts } from './create-sent-texts.ts';

/** What one run shares among all of its properties. */
export interface RunMemory {
  /** The keys that were sent, by operation and value. */
  readonly sentKeys: SentKeys;
  /** The ids of the operations that took a plain request. */
  readonly taken: Set<string>;
  /** The plain bodies that were taken, without their keys, by operation; no more than tell whether two are equal. */
  readonly takenBodies: Set<string>;
  /** The ids of the operations that took equal plain bodies under different keys. */
  readonly takesEqual: Set<string>;
  readonly sentTexts: SentTexts;
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
    sentKeys: createSentKeys(),
    taken: new Set(),
    takenBodies: new Set(),
    takesEqual: new Set(),
    sentTexts: createSentTexts(),
    longestPlainBody: 0,
    plainSent: 0,
    plainAccepted: 0,
    brokenOff: [],
    wasThere: false,
    isGone: false,
  };
}
