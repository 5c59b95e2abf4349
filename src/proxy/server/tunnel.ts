import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Forwarding, writeHead } from './message.ts';

/** Lets the bytes of two connections through to each other, and each end with the other (RFC 9110 §9.3.6). */
function joinSockets(client: Duplex, service: Duplex): void {
  tie(client, service);
  tie(service, client);
}

function tie(from: Duplex, to: Duplex): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
  // What has come is still written; pipe() ends the other side after a proper end, and not after a broken one.
  from.once('close', () => to.end(() => to.destroy()));
}

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

/** A request that asks for another protocol, and what came after its head. */
interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly server: Server;
}

/**
 * Has a request read again without its Upgrade, where no tunnel could serve it: one with content, which Node does
 * not read of a request that asks for an upgrade, and one for HTTP/2, whose exchanges nobody could judge. A server
 * may leave an Upgrade aside (RFC 9110 §7.8).
 *
 * @returns whether that was done
 */
export function readAgain({ request, socket, head, server }: UpgradeRequest): boolean {
  const { method = '', url = '', httpVersion, headers, rawHeaders } = request;
  const length = headers['content-length'] ?? '0';
  const hasContent = length !== '0' || headers['transfer-encoding'] !== undefined;
  const isHttp2 = /^h2c?$/iu.test(headers.upgrade?.trim() ?? '');
  if (method === 'CONNECT' || (!hasContent && !isHttp2)) return false;
  let fields = '';
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.toLowerCase() !== 'upgrade') {
      fields += `${name}: ${rawHeaders[index + 1] ?? ''}\r\n`;
    }
  }
  const again = Buffer.from(`${method} ${url} HTTP/${httpVersion}\r\n${fields}\r\n`, 'latin1');
  socket.unshift(Buffer.concat([again, head]));
  server.emit('connection', socket);
  return true;
}
