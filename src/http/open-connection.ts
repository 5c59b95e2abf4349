import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TlsTrust } from './tls-trust.ts';

/**
 * Opens a TCP connection to a base URL, or a TLS one for https:, which speaks HTTP/1.1 and sends each write
 * at once.
 *
 * @returns a socket that emits `connect`, or `secureConnect` for https:, when it is ready
 */
export function openConnection(baseUrl: URL, trust: TlsTrust): Socket {
  const host = baseUrl.hostname.replace(/^\[(.*)\]$/u, '$1');
  if (baseUrl.protocol !== 'https:') {
    return connectTcp({ host, port: Number(baseUrl.port || 80), noDelay: true });
  }
  const isAddress = /^[\d.]+$|:/u.test(host);
  const socket = connectTls({
    host,
    port: Number(baseUrl.port || 443),
    ALPNProtocols: ['http/1.1'],
    ...trust,
    // RFC 6066 §3: an address is no server name.
    ...(isAddress ? {} : { servername: host }),
  });
  return socket.setNoDelay(true);
}
