import type { NotChecked } from '../run-event.ts';
import type { Against } from './against.ts';
import type { PolicyProposal } from './policy-proposal.ts';

/** What comparing two services came to. */
export interface ParityResult {
  /** The other service, as its URL, or `the in-process mock`. */
  readonly name: string;
  readonly names: Against['names'];
  /** How many pairs of answers were compared, and how many of them differ, before they are grouped by cause. */
  readonly compared: number;
  readonly differing: number;
  /** How many requests the other one left unanswered, which could not be compared. */
  readonly unanswered: number;
  /** The properties that the two are not compared by, and why. */
  readonly notCompared: readonly NotChecked[];
  readonly proposal: PolicyProposal;
}
