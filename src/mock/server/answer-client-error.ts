import type { Socket } from 'node:net';
import { hasEarlyAnswer } from './linger.ts';

const statuses: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
};

const messages: Readonly<Record<string, string>> = {
  '408': 'The request did not come to its end in time.',
  '413': 'The chunk extensions of the request are too large.',
  '431': 'The header fields of the request are too large.',
  '400': 'This is not HTTP as RFC 9112 has it.',
};

/** Answers what is no request, or comes to no end, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasEarlyAnswer(socket)) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? '400 Bad Request';
  const code = status.slice(0, 3);
  const body = JSON.stringify({ error: Number(code), message: messages[code] });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
