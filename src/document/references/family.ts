import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';

/** A reference from one text to another. */
export interface OuterReference {
  readonly holder: JsonObject;
  readonly pointer: JsonPointer;
  readonly reference: string;
  /** The URL of the other text, without its fragment. */
  readonly target: string;
  /** The place in the other text. */
  readonly targetPointer: JsonPointer;
}

/** One of the texts that a document is made of. */
export interface FamilyMember {
  readonly url: URL;
  readonly root: JsonValue;
  readonly outer: readonly OuterReference[];
}

/** The texts that a document is made of, by URL without fragment; the document itself is the first. */
export type Family = ReadonlyMap<string, FamilyMember>;
