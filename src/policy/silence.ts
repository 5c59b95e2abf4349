import type { JsonPointer } from '../json/json-pointer.ts';

/** What a document has to say to a question. */
export type Silence<Answer> =
  | {
      readonly kind: 'open';
      /** Where the document would have to speak, as a sentence without its full stop. */
      readonly settledBy: string;
      /** What it says that is not enough, as a sentence without its full stop. */
      readonly says?: string;
    }
  | {
      readonly kind: 'answered';
      /** Where it speaks. */
      readonly pointer: JsonPointer;
      /** What it says, as a sentence without its full stop. */
      readonly says: string;
      /** The answer, where one follows. */
      readonly answer?: Answer;
    }
  /** The operation gives no occasion to ask. */
  | { readonly kind: 'not-asked'; readonly why: string };
