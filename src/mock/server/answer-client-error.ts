import type { Socket } from 'node:net';
import type { ConnectionFault } from '../steps/connection-fault.ts';
import type { Responder } from '../steps/responder.ts';
import { hasEarlyAnswer, linger } from './linger.ts';
import { writeToSocket } from './write-to-socket.ts';

/** What Node says of a connection whose bytes it cannot take for a request. */
interface ClientError extends Error {
  readonly code?: string;
  /** In the words of its parser, which repeat nothing of what came. */
  readonly reason?: string;
  /** What came last. */
  readonly rawPacket?: Uint8Array;
}

const faults: Readonly<Record<string, ConnectionFault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
  HPE_HEADER_OVERFLOW: 'header-fields-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'chunk-extensions-too-large',
};

/** The first byte of a TLS handshake (RFC 8446 §5.1). */
const tlsHandshake = 0x16;

function explain({ code, reason, rawPacket }: ClientError): string | undefined {
  if (code === 'HPE_INVALID_METHOD' && rawPacket?.[0] === tlsHandshake) {
    return 'it begins as TLS does; the mock is at http://, not https://';
  }
  if (code === 'HPE_PAUSED_H2_UPGRADE') {
    return 'it is HTTP/2; the mock speaks HTTP/1.1';
  }
  if (code === 'HPE_INVALID_EOF_STATE') {
    return 'it ends before the request does';
  }
  return reason === undefined ? undefined : `"${reason}"`;
}

/**
 * Answers what is no request, or comes to no end, and closes the connection. One on which nothing came is
 * closed without a word: browsers open connections that they may never use.
 */
export function answerClientError(
  error: ClientError,
  { socket, responder, lingerMs }: { socket: Socket; responder: Responder; lingerMs: number },
): void {
  if (hasEarlyAnswer(socket) && error.code?.startsWith('HPE_') === true) {
    // What comes after an answer that was the last is read, but need not be HTTP.
    return;
  }
  if (error.code === 'ECONNRESET' || socket.bytesRead === 0 || !socket.writable || hasEarlyAnswer(socket)) {
    socket.destroy();
    return;
  }
  const fault = faults[error.code ?? ''] ?? 'not-http';
  const answer = responder.refuse({ fault, detail: fault === 'not-http' ? explain(error) : undefined });
  linger(socket, lingerMs);
  writeToSocket(socket, answer);
}
