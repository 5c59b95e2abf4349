import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Forwarding } from './forwarding.ts';
import { joinSockets } from './join-sockets.ts';
import { writeHead } from './write-head.ts';

/**
 * Prepares what is done where the service takes an upgrade, or answers CONNECT (RFC 9110 §7.8, §9.3.6): the head
 * of its answer is passed on, and then the bytes of both sides as they come.
 *
 * @param onOpen - told when the tunnel is open
 * @returns a listener for `upgrade` and `connect`
 */
export function openTunnel(
  { tunnel, response, connection, exchange, mark }: Forwarding & { readonly tunnel: Socket },
  onOpen: () => void,
): (answer: IncomingMessage, service: Duplex, head: Buffer) => void {
  return (answer, service, head) => {
    onOpen();
    connection.end();
    response.detachSocket(tunnel);
    exchange.takeHead(answer);
    exchange.end({ kind: 'left', why: 'its connection became a tunnel' });
    const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = answer;
    writeHead(tunnel, { status, reason, fields: [...rawHeaders, ...mark] });
    if (head.length > 0) {
      service.unshift(head);
    }
    joinSockets(tunnel, service);
  };
}
