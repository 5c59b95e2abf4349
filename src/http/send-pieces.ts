import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Long enough for the one packet to leave before the next is written. */
const betweenPacketsMs = 5;

/**
 * Writes piece by piece, each in a packet of its own; what goes wrong shows as the end of the socket.
 *
 * @returns when all are written, or the socket takes no more
 */
export async function sendPieces(socket: Socket, pieces: readonly Uint8Array[]): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) {
      await pause(betweenPacketsMs);
    }
    if (!socket.writable) {
      return;
    }
    socket.write(piece);
  }
}
