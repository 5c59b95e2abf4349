import type { JsonPointer } from '../json/json-pointer.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';
import type { ParameterReader } from './parameters/create-parameter-reader.ts';

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
  /** Whether a query may give it without a value, whatever its schema says (`allowEmptyValue`). */
  readonly allowsEmpty: boolean;
  readonly schema: CompiledSchema | undefined;
  /** Reads it out of a request. */
  readonly read: ParameterReader;
  readonly pointer: JsonPointer;
}
