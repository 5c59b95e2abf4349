import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** A request that asks for another protocol, and what came after its head. */
export interface UpgradeRequest {
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
  if (method === 'CONNECT' || (!hasContent && !isHttp2)) {
    return false;
  }
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
