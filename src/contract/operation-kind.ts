import type { JsonPointer } from '../json/json-pointer.ts';

/** Where the key of a created resource comes from. */
export type ResourceKey =
  /** The client sends it, in this property of the body. */
  | { readonly kind: 'client'; readonly property: string; readonly evidence: string }
  /** The service makes it and answers with it in this property. */
  | { readonly kind: 'server'; readonly property: string; readonly evidence: string }
  | { readonly kind: 'none'; readonly evidence: string };

/** What an operation does, as far as it can be inferred from the document. */
export type OperationKind =
  | {
      readonly kind: 'create';
      /** The path that is posted to; a resource is kept under the concrete URL of its parent. */
      readonly collection: string;
      readonly key: ResourceKey;
      /** The declared success response that a create is answered with. */
      readonly success: JsonPointer;
    }
  /** No state can answer it: a sample is served. */
  | { readonly kind: 'sample'; readonly evidence: string };
