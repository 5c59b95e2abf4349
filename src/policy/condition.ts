/** A reason for which a request is refused; error bodies, the log and the control interface name it. */
export type Condition =
  | 'missing-credentials'
  | 'invalid-credentials'
  | 'malformed-body'
  | 'missing-body'
  | 'invalid-body'
  | 'invalid-parameter'
  | 'unsupported-media-type'
  | 'body-too-large'
  | 'duplicate-key'
  | 'duplicate-value'
  | 'not-acceptable'
  | 'unknown-path'
  | 'unknown-method'
  | 'too-many-requests';
