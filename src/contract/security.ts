/** A way to show who one is (OpenAPI 3.1 §4.8.27). */
export type SecurityScheme =
  /** HTTP bearer, and OAuth 2 and OpenID Connect, whose tokens travel as bearer tokens (RFC 6750 §2.1). */
  | { readonly kind: 'bearer'; readonly name: string }
  | { readonly kind: 'basic'; readonly name: string }
  | {
      readonly kind: 'api-key';
      readonly name: string;
      readonly in: 'header' | 'query' | 'cookie';
      readonly parameter: string;
    }
  /** Another HTTP scheme, or mutual TLS: the mock lets it pass and the checks say that they did not look. */
  | { readonly kind: 'unjudged'; readonly name: string; readonly reason: string };

/** Schemes that are all wanted together. Empty: anonymous requests are let in. */
export type SecurityAlternative = readonly SecurityScheme[];
