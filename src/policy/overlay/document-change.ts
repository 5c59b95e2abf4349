import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';

/** A change to one place of a document that is there. */
export interface DocumentChange {
  readonly pointer: JsonPointer;
  /** Why, as a sentence. */
  readonly description: string;
  readonly change:
    | { readonly kind: 'remove' }
    /** Merged with an object, appended to an array. */
    | { readonly kind: 'update'; readonly value: JsonValue };
}
