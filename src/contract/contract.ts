import type { DocumentPlace } from '../document/document-place.ts';
import type { TextLocation } from '../document/located-problem.ts';
import type { JsonPointer } from '../json/json-pointer.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Operation } from './operation.ts';

/** What a document says, in the form that the mock, the checks and the generators read. */
export interface Contract {
  /** Where the document was read from, as it was named. */
  readonly source: string;
  readonly title: string;
  /** The version of the interface description (`info.version`). */
  readonly version: string;
  readonly openapi: '3.0' | '3.1';
  /** In the order of the document. */
  readonly operations: readonly Operation[];
  /** The document itself, every `$ref` internal. */
  readonly root: JsonObject;
  /** What a place of `root` is called in the text that the user wrote, which may be another file. */
  readonly placeOf: (pointer: JsonPointer) => DocumentPlace;
  /** The line of a place that `placeOf` named; it looks through the document, so it is asked once a finding. */
  readonly locate: (place: DocumentPlace) => TextLocation | undefined;
}
