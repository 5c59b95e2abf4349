import type { IncomingMessage } from 'node:http';
import type { Reach } from '../control/mounted.ts';

/** What only programs on the same machine come from (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
const loopback = /^(?:127\.|::1$|::ffff:127\.)/u;

/**
 * How a request came over a port.
 *
 * @param isOpenToOthers - whether the address that is listened on is one that other machines reach
 */
export function reachOf({ socket }: IncomingMessage, isOpenToOthers: boolean): Reach {
  return !isOpenToOthers && loopback.test(socket.remoteAddress ?? '') ? 'loopback' : 'network';
}
