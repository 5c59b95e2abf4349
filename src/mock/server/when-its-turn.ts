import type { ServerResponse } from 'node:http';

/**
 * Goes on when the answers to the requests before this one are written: what ends a connection would take them along. Not
 * at all where the connection ends before.
 */
export function whenItsTurn(response: ServerResponse, goOn: () => void): void {
  if (response.socket === null) {
    response.once('socket', goOn);
    return;
  }
  goOn();
}
