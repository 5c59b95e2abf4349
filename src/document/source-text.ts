/** A text that was read, and what to call it. */
export interface SourceText {
  /** As the user named it, or relative to what they named; for one from the network its URL. */
  readonly file: string;
  readonly text: string;
}
