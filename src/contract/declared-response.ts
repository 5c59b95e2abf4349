import type { JsonPointer } from '../json/json-pointer.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';
import type { MediaTypeContract } from './media-type-contract.ts';

/** Which statuses a response of the document speaks for (OpenAPI 3.1 §4.8.16). */
export type StatusPattern =
  | { readonly kind: 'exact'; readonly status: number }
  /** `4XX` is 4. */
  | { readonly kind: 'range'; readonly hundreds: number }
  | { readonly kind: 'default' };

/** A header field of a declared response (OpenAPI 3.1 §4.8.21). */
export interface DeclaredHeader {
  readonly name: string;
  readonly required: boolean;
  readonly schema: CompiledSchema | undefined;
  readonly pointer: JsonPointer;
}

/** A response that the document declares for an operation (OpenAPI 3.1 §4.8.17). */
export interface DeclaredResponse {
  readonly status: StatusPattern;
  readonly description: string;
  readonly headers: readonly DeclaredHeader[];
  /** Empty where the response has no content. */
  readonly media: readonly MediaTypeContract[];
  readonly pointer: JsonPointer;
}
