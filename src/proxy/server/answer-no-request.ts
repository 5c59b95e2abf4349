import type { Duplex } from 'node:stream';
import { errorCode } from '../../http/error-code.ts';
import { writeHead } from './write-head.ts';

/**
 * Answers what Node cannot take for a request (RFC 9112 §2.2), and closes the connection. One that broke, or that
 * is in the middle of an answer, is closed without a word.
 */
export function answerNoRequest(
  error: Error,
  { socket, isAnswering }: { readonly socket: Duplex; readonly isAnswering: boolean },
): void {
  const isBroken = errorCode(error) === 'ECONNRESET' || !socket.writable;
  if (isBroken || isAnswering) {
    socket.destroy();
    return;
  }
  const text = `cloche proxy cannot read this as a request: ${error.message}.\n`;
  writeHead(socket, {
    status: errorCode(error) === 'HPE_HEADER_OVERFLOW' ? 431 : 400,
    reason: 'Bad Request',
    fields: ['Content-Type', 'text/plain', 'Content-Length', String(text.length), 'Connection', 'close'],
  });
  socket.end(text);
}
