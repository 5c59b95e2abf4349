import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Responder } from '../steps/responder.ts';
import { linger } from './linger.ts';
import { NodeRequestHead } from './node-request-head.ts';
import { writeToSocket } from './write-to-socket.ts';

/**
 * Answers CONNECT, for which Node makes no response, as any method that is not declared (RFC 9110 §9.3.6
 * leaves it to a server that is no proxy), and closes the connection.
 */
export function answerConnect(
  request: IncomingMessage,
  { socket, responder, lingerMs }: { socket: Socket; responder: Responder; lingerMs: number },
): void {
  // Node has let go of the connection, and of its errors with it.
  socket.on('error', () => socket.destroy());
  const admission = responder.admit(new NodeRequestHead(request));
  if (admission.kind === 'admitted') {
    // No document can declare it (OpenAPI 3.1 §4.8.9).
    socket.destroy();
    return;
  }
  const answer = responder.conclude(admission, 'not-read');
  // Half of an answer to a tunnel is none either, and a delay would keep what a client may send into it.
  if ((answer.delivery?.connection ?? 'keep') !== 'keep') {
    socket.destroy();
    return;
  }
  linger(socket, lingerMs);
  writeToSocket(socket, answer);
}
