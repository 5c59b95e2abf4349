import type { JsonPointer } from '../json/json-pointer.ts';
import type { MediaTypeContract } from './media-type-contract.ts';

/** The body that an operation takes (OpenAPI 3.1 §4.8.13). */
export interface RequestBody {
  readonly required: boolean;
  readonly media: readonly MediaTypeContract[];
  readonly pointer: JsonPointer;
}
