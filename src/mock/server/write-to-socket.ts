import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { MockAnswer } from '../steps/mock-answer.ts';

/**
 * Writes an answer where Node has no response to write it with (RFC 9112 §2.1), as the last of its
 * connection.
 */
export function writeToSocket(socket: Socket, { status, headers, body = '' }: MockAnswer): void {
  const fields = [...headers, 'Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close'];
  const lines = fields.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`, 'latin1');
  socket.write(body);
  socket.destroySoon();
}
