/** A finding that is known and may pass. */
export interface BaselineEntry {
  /** The stable id of the finding. */
  readonly id: string;
  /** What was found, for who reads the file; not compared with anything. */
  readonly title?: string;
  /** Why it may pass, for who reads it later. */
  readonly reason?: string;
  /** The last day on which it may pass, `2026-12-31`; undefined is for ever. */
  readonly expires?: string;
}
