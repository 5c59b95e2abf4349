import type { JsonPointer } from '../json/json-pointer.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';

/** A parameter outside the body (OpenAPI 3.1 §4.8.12). */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  /** The `style` of the document, or the default of its place. */
  readonly style: string;
  readonly explode: boolean;
  /** Where the value is one text in a media type (`content`) instead of a style. */
  readonly mediaType: string | undefined;
  readonly schema: CompiledSchema | undefined;
  readonly pointer: JsonPointer;
}
