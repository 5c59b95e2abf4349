import type { Level } from '../finding.ts';

/** What a check is, for who reads of one of its findings. */
export interface CheckDoc {
  /** The levels that its findings can have. */
  readonly levels: readonly [Level, ...Level[]];
  /** The sentence that it holds an answer against: a place in the document, or an RFC and its section. */
  readonly place: string;
  /** When it finds something, and when not. */
  readonly finds: string;
  /** A request and an answer that it finds something in; lines are separated as in HTTP. */
  readonly example: { readonly request: string; readonly answer: string };
}
