import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Upstream } from './upstream.ts';

/**
 * Creates the agent of one client connection. It has one connection to the service, so that requests reach the
 * service in the order, and on as many connections, as the client sent them.
 */
export function createUpstreamAgent({ baseUrl, trust }: Upstream): Agent {
  const options = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1, noDelay: true };
  return baseUrl.protocol === 'https:'
    ? new TlsAgent({ ...options, ...trust, ALPNProtocols: ['http/1.1'] })
    : new Agent(options);
}
