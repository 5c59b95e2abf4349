import type { Contract } from '../contract/contract.ts';
import type { FindingSurroundings } from './render-finding.ts';

/**
 * What every report that is written to a file is made with: how requests are shown, what may not appear, and
 * where the text goes.
 */
export interface ReportOptions extends Omit<FindingSurroundings, 'paint' | 'width'> {
  /** Takes the text of the report, piece after piece; a report that is one text gives it at the end. */
  readonly write: (text: string) => void;
  /** The version of Cloche: `0.1.0`. */
  readonly toolVersion: string;
  /** What the service was held to; `locate` finds the line of a clause in the user's text. */
  readonly contract: Contract;
  /** What each secret is, in words, in the order of the secrets: `the token`. */
  readonly secretMeanings: readonly string[];
  /** The property that was replayed, `suite/property`; undefined where a whole run was made. */
  readonly replayed: string | undefined;
  /** Whether advice fails the run too. */
  readonly strict: boolean;
  /** The time of day, in milliseconds since 1970. */
  readonly now: () => number;
}
