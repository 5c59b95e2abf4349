import type { Forwarding } from './forwarding.ts';

/**
 * Answers in the place of the service, in a sentence for people (RFC 9110 §15.6.3). Where a part of an answer has
 * passed already, the connection is closed, so that nobody takes it for the whole.
 *
 * @param reason - without a full stop
 */
export function refuse({ response, mark }: Pick<Forwarding, 'response' | 'mark'>, reason: string): void {
  if (response.headersSent) {
    response.socket?.destroy();
    return;
  }
  const text = `cloche proxy has no answer to pass on: ${reason}.\n`;
  // There is no connection to the service that this one could be tied to.
  response.shouldKeepAlive = false;
  response.writeHead(502, [
    'Content-Type',
    'text/plain; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(text)),
    ...mark,
  ]);
  response.end(text);
}
