import type { Duplex } from 'node:stream';
import { errorCode } from '../../http/error-code.ts';
import { writeHead } from './write-head.ts';

/**
 * Answers what Node cannot take for a request (RFC 9112 §2.2), and closes the connection. One that broke, or on which
 * another answer is due, is closed without a word.
 */
export function answerNoRequest(
  error: Error,
  { socket, isSilent }: { readonly socket: Duplex; readonly isSilent: boolean },
): void {
  const isBroken = errorCode(error) === 'ECONNRESET' || !socket.writable;
  if (isBroken || !isSilent) {
    socket.destroy();
    return;
  }
  const isTooLong = errorCode(error) === 'HPE_HEADER_OVERFLOW';
  const text = `cloche proxy cannot read this as a request: ${error.message}.\n`;
  writeHead(socket, {
    status: isTooLong ? 431 : 400,
    reason: isTooLong ? 'Request Header Fields Too Large' : 'Bad Request',
    fields: ['Content-Type', 'text/plain', 'Content-Length', String(text.length), 'Connection', 'close'],
  });
  socket.end(text, () => socket.destroy());
}
