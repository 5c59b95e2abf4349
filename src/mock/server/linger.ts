import type { Socket } from 'node:net';

const answered = new WeakSet<Socket>();

/** Whether a connection has had the answer to a request that is still coming in. */
export function hasEarlyAnswer(socket: Socket): boolean {
  return answered.has(socket);
}

/**
 * Makes a connection close politely after an answer that came before the end of its request: our side is
 * closed, and what the client still sends is read and thrown away for a while. Closed at once, the
 * connection would be reset, and the client might lose the answer with it (RFC 9112 §9.6).
 */
export function linger(socket: Socket, forMs: number): void {
  if (answered.has(socket)) {
    return;
  }
  answered.add(socket);
  // Node calls it when the last answer of a connection is written, and would destroy the socket with it.
  socket.destroySoon = () => {
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), forMs);
    socket.once('end', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
  };
}
