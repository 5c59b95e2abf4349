import type { MediaTypeContract } from './media-type-contract.ts';

/**
 * Whether a document says of a content no more than that there is some: every media type, without schema or example
 * (OpenAPI 3.1 §4.8.14).
 */
export function isOfAnyKind({ range, schema, examples }: MediaTypeContract): boolean {
  return range === '*/*' && schema === undefined && examples.length === 0;
}
