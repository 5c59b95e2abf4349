/** A path as the document has it (OpenAPI 3.1 §4.8.8), cut at its slashes. */
export interface PathTemplate {
  /** `/shops/{shop}/orders` */
  readonly template: string;
  readonly segments: readonly PathSegment[];
}

/** One segment: literal text and parameters in turn, most often only one of the two. */
export type PathSegment =
  | { readonly kind: 'literal'; readonly text: string }
  /** `{shop}` */
  | { readonly kind: 'parameter'; readonly name: string }
  /** `{name}.{extension}`: the expression captures the parameters in order. */
  | { readonly kind: 'mixed'; readonly pattern: RegExp; readonly names: readonly string[] };
