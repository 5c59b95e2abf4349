/**
 * A reason for which there is no request that the steps of an answer could take: what came is none, comes
 * to no end, the store is away, or the mock itself is wrong. The header `Cloche-Undeclared` and the log name it.
 */
export type ConnectionFault =
  | 'not-http'
  | 'invalid-host'
  | 'request-timeout'
  | 'header-fields-too-large'
  | 'chunk-extensions-too-large'
  | 'store-unavailable'
  | 'internal-error';
