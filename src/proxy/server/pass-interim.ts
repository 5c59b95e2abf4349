import type { InformationEvent } from 'node:http';
import type { Socket } from 'node:net';
import type { Forwarding } from './forwarding.ts';
import { partHopFields } from './part-hop-fields.ts';
import { writeHead } from './write-head.ts';

/** Passes an interim answer on (RFC 9110 §15.2); HTTP/1.0 knows none. */
export function passInterim({ request, response }: Forwarding, interim: InformationEvent): void {
  if (request.httpVersion === '1.0' || response.headersSent) {
    return;
  }
  const { statusCode, statusMessage, rawHeaders } = interim;
  if (statusCode === 100) {
    // Node closes a connection on which it does not know of the answer to an expectation.
    response.writeContinue();
    return;
  }
  const head = { status: statusCode, reason: statusMessage, fields: partHopFields(rawHeaders).kept };
  if (response.socket !== null) {
    writeHead(response.socket, head);
    return;
  }
  // The answers to earlier requests of the connection come first.
  response.once('socket', (socket: Socket) => writeHead(socket, head));
}
