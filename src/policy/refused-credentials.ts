/** The answer to a request whose credentials are not let in. */
export interface RefusedCredentials {
  /** 300 to 499 */
  readonly status: number;
  /**
   * `error`: the error body that the document declares; `problem`: application/problem+json (RFC 9457); `other`: a body
   * that is neither, as a framework's own `{"error": "unauthorized"}` or a page of HTML.
   */
  readonly body: 'error' | 'problem' | 'empty' | 'other';
}
