import type { ServerResponse } from 'node:http';
import type { MockAnswer } from '../steps/mock-answer.ts';

/**
 * Writes the first half of an answer's content, with the Content-Length of the whole, and ends the connection there. Of an
 * answer without content nothing is written: half of nothing would be a whole answer.
 */
export function writeHalf(response: ServerResponse, { status, headers, body = '' }: MockAnswer): void {
  const content = Buffer.from(body);
  const { socket } = response;
  if (content.length === 0 || response.req.method === 'HEAD') {
    socket?.destroy();
    return;
  }
  response.writeHead(status, [...headers, 'Content-Length', String(content.length), 'Connection', 'close']);
  response.write(content.subarray(0, content.length >> 1), () => socket?.destroy());
}
