import type { Duplex } from 'node:stream';

/** Lets the bytes of two connections through to each other, and each end with the other (RFC 9110 §9.3.6). */
export function joinSockets(client: Duplex, service: Duplex): void {
  tie(client, service);
  tie(service, client);
}

function tie(from: Duplex, to: Duplex): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
  // What has come is still written; pipe() ends the other side after a proper end, and not after a broken one.
  from.once('close', () => to.end(() => to.destroy()));
}
