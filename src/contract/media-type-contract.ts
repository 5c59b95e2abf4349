import type { JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';

/** A media type with its schema (OpenAPI 3.1 §4.8.14). */
export interface MediaTypeContract {
  /** As the document has it: `application/json`, `text/*`. */
  readonly range: string;
  readonly isJson: boolean;
  readonly schema: CompiledSchema | undefined;
  /** Its examples, the single `example` first. */
  readonly examples: readonly JsonValue[];
  readonly pointer: JsonPointer;
}
