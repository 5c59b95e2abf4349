import { errorCode } from './error-code.ts';

const certificateWords: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is signed by an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'is signed by an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an authority that is not trusted here',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
};

function connectionWords(code: string, place: string, timeoutMs: number | undefined): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing listens on ${place}`;
    case 'ENOTFOUND':
      return `the host name of ${place} is not known`;
    case 'EAI_AGAIN':
      return `the host name of ${place} cannot be looked up at the moment`;
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${place} took no connection ${timeoutMs === undefined ? 'in time' : `within ${timeoutMs} ms`}`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `there is no way to ${place} from here`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${place} closed the connection before it was ready`;
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return `${place} does not speak TLS: try http:// in place of https://`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'its certificate is for another host: use the name that it is for, or pass --insecure';
    default:
      return undefined;
  }
}

/**
 * Says in words why no connection came about, and what to do where that is known.
 *
 * @param failure - the error, the place as `host:port`, and how long a connection was waited for, where that was not left to
 *   the system
 */
export function describeConnectionFailure(failure: {
  readonly error: unknown;
  readonly place: string;
  readonly timeoutMs?: number;
}): string {
  const { error, place, timeoutMs } = failure;
  const code = errorCode(error);
  const certificate = certificateWords[code];
  if (certificate !== undefined) {
    return `its certificate ${certificate}: pass --ca FILE or --insecure`;
  }
  return (
    connectionWords(code, place, timeoutMs) ??
    `no connection to ${place} came about (${error instanceof Error && error.message !== '' ? error.message : code})`
  );
}
