/** What a request shows as its credentials; the token itself is filled in as the request leaves. */
export type CredentialCase =
  /** As the document asks for them. */
  | { readonly kind: 'good' }
  /** None at all. */
  | { readonly kind: 'none' }
  /** The good token with an unusual spelling of the scheme or of the space behind it (RFC 9110 §11.1). */
  | { readonly kind: 'spelled'; readonly scheme: string; readonly space: string }
  /** The good token without any scheme. */
  | { readonly kind: 'bare' }
  /** The good token behind another scheme's name, `Token` or `Digest`. */
  | { readonly kind: 'other-scheme'; readonly scheme: string }
  /** A field value of its own that holds no good token: `Bearer`, `Basic dXNlcjpwYXNz`. */
  | { readonly kind: 'literal'; readonly value: string }
  /** A token that nobody issued, sent as the document asks for it; it is drawn as the request leaves. */
  | { readonly kind: 'wrong-token' }
  /** The good token with its last character changed, cut off, or doubled, or in the other case. */
  | {
      readonly kind: 'altered-token';
      readonly how: 'last-character' | 'shortened' | 'lengthened' | 'other-case';
    };
