/** A place in a text. */
export interface TextLocation {
  /** As the user named it, or relative to what they named; for one from the network its URL. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** One thing in a document that makes it unusable, with its place in the text. */
export interface LocatedProblem extends TextLocation {
  /** What is wrong, the path to it included, without a full stop. */
  readonly reason: string;
  /** What to do about it, without a full stop. */
  readonly remedy: string;
}
