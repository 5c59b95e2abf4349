import type { JsonPointer } from '../json/json-pointer.ts';

/** One thing in a document that makes it unusable. */
export interface DocumentProblem {
  /** The place of the member that is wrong; of one that is missing, the object it is missing from. */
  readonly pointer: JsonPointer;
  /** What is wrong there, without a full stop: `must have "schema" or "content"`. */
  readonly reason: string;
  /** What to do about it, without a full stop. */
  readonly remedy: string;
}
