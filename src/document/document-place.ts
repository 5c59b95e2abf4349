import type { JsonPointer } from '../json/json-pointer.ts';

/** A place as the user finds it in what they wrote. */
export interface DocumentPlace {
  /** The text that it stands in, as TextLocation names it; left out for the document itself. */
  readonly file?: string;
  /** The place in that text. */
  readonly pointer: JsonPointer;
}
