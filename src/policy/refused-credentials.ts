/** The answer to a request whose credentials are not let in. */
export interface RefusedCredentials {
  /** 300 to 499 */
  readonly status: number;
  /** `error`: the error body that the document declares; `problem`: application/problem+json (RFC 9457). */
  readonly body: 'error' | 'problem' | 'empty';
}
