import { nameCharacter } from '../errors/console-text.ts';
import { decodeUtf8 } from './bytes.ts';
import { type Answer, headerValue } from './message.ts';
import { readHttpResponse } from './parse-response.ts';

/** The number of characters of content that are shown. */
const shownLength = 120;

/** Quotes bytes on one line. */
function describeBytes(bytes: Uint8Array, cutAfter?: number): string {
  const text = decodeUtf8(bytes);
  const size = cutAfter === undefined ? `${bytes.length} bytes` : `more than ${cutAfter} bytes`;
  if (text === undefined) return `(${size} that are not UTF-8)`;
  // A text of many megabytes has more characters than an array can hold.
  const characters = Array.from(text.slice(0, 2 * shownLength + 2));
  const isLong = characters.length > shownLength;
  const shown = (isLong ? `${characters.slice(0, shownLength).join('')}…` : text)
    .replaceAll(/\r?\n/gu, '\u23CE')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, nameCharacter);
  return isLong || cutAfter !== undefined ? `“${shown}” (${size})` : `“${shown}”`;
}

function describeReceived(bytes: Uint8Array): string {
  return bytes.length === 0 ? 'nothing came' : `what came: ${describeBytes(bytes)}`;
}

/**
 * Describes the outcome of a request on one line, with long content shortened: `200 application/json “{"id":1}”`. It
 * may show request data that a service repeats; the caller must redact credentials.
 */
export function describeAnswer(answer: Answer): string {
  const { kind } = answer;
  if (kind === 'unreachable') return `not reached: ${answer.reason}`;
  if (kind === 'response') {
    const { status, headers, body, cutAfter } = answer.response;
    const mediaType = headerValue(headers, 'content-type') ?? 'without Content-Type';
    return body.length === 0
      ? `${status} without content`
      : `${status} ${mediaType} ${describeBytes(body, cutAfter)}`;
  }
  const came = describeReceived(answer.received);
  if (kind === 'timed-out') return `no whole answer within ${answer.afterMs} ms (${came})`;
  return `${kind === 'not-http' ? 'not HTTP/1.1: ' : ''}${answer.reason} (${came})`;
}

/** Returns the code of an error of Node or of a library, such as `ECONNREFUSED`; empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const untrusted = 'is signed by an authority that is not trusted here';
const certificateWords: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
};

const tlsAlert = /^ERR_SSL_(?:TLSV1|TLSV13|SSLV3)_ALERT_(\w+)$/u;

/** Returns whether the service ended the TLS handshake with an alert; in TLS 1.3 after the client is connected. */
export function isTlsAlert(error: unknown): boolean {
  return tlsAlert.test(errorCode(error));
}

const noFilesLeft = 'this process may open no more files';

function connectionWords(code: string, place: string, timeoutMs: number | undefined): string | undefined {
  const late = `${place} took no connection ${timeoutMs === undefined ? 'in time' : `within ${timeoutMs} ms`}`;
  const unreachable = `there is no way to ${place} from here`;
  const closed = `${place} closed the connection before it was ready`;
  const plain = `${place} does not speak TLS: try http:// in place of https://`;
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: `nothing listens on ${place}`,
    ENOTFOUND: `the host name of ${place} is not known`,
    EAI_AGAIN: `the host name of ${place} cannot be looked up at the moment`,
    ETIMEDOUT: late,
    UND_ERR_CONNECT_TIMEOUT: late,
    EHOSTUNREACH: unreachable,
    ENETUNREACH: unreachable,
    ECONNRESET: closed,
    EPIPE: closed,
    EMFILE: noFilesLeft,
    ENFILE: noFilesLeft,
    EPROTO: plain,
    ERR_SSL_WRONG_VERSION_NUMBER: plain,
    ERR_SSL_PACKET_LENGTH_TOO_LONG: plain,
    ERR_TLS_CERT_ALTNAME_INVALID:
      'its certificate is for another host: use the name that it is for, or pass --insecure',
  };
  return words[code];
}

/** A failure of an outgoing proxy, before the service is involved. Its message says what happened. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * Returns the outcome of a request whose connection failed.
 *
 * @param failure.remedy - the remedy if the place is no service
 */
export function toUnreachable(
  failure: Parameters<typeof describeConnectionFailure>[0] & { readonly remedy?: string | undefined },
): Answer {
  const { error } = failure;
  const reason = describeConnectionFailure(failure);
  let { remedy } = failure;
  if (error instanceof ProxyFailure) ({ remedy } = error);
  if (reason === noFilesLeft) remedy = 'Raise ulimit -n, or lower --connections';
  return { kind: 'unreachable', reason, ...(remedy === undefined ? {} : { remedy }) };
}

/**
 * Describes why the connection to a place, `host:port`, failed, and the fix if it is known. Without `timeoutMs` the
 * system decided the time-out.
 */
export function describeConnectionFailure(failure: {
  readonly error: unknown;
  readonly place: string;
  readonly timeoutMs?: number;
}): string {
  const { error, place, timeoutMs } = failure;
  if (error instanceof ProxyFailure) return error.message;
  const code = errorCode(error);
  const certificate = certificateWords[code];
  if (certificate !== undefined) return `its certificate ${certificate}: pass --ca FILE or --insecure`;
  const alert = tlsAlert.exec(code)?.[1]?.toLowerCase().replaceAll('_', ' ');
  if (alert !== undefined) {
    return `${place} ended the TLS handshake with the alert “${alert}”: it may require a client certificate: pass --client-cert and --client-key`;
  }
  return (
    connectionWords(code, place, timeoutMs) ??
    `no connection to ${place} came about (${error instanceof Error && error.message !== '' ? error.message : code})`
  );
}

/** Describes how a connection ended, by an error if any, before the response to a method was complete. */
export function describeDrop(error: unknown, received: Uint8Array, method: string): string {
  const code = errorCode(error);
  const end = code === 'ECONNRESET' || code === 'EPIPE' ? 'reset' : 'closed';
  if (received.length === 0) return `the connection was ${end} before an answer came`;
  const reading = readHttpResponse({ bytes: received, method, ended: false });
  const missing = reading.kind === 'incomplete' ? reading.missing : 'a part of it';
  return `the connection was ${end} in the middle of the answer: ${missing} did not come`;
}
