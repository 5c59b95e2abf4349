import type { Duplex } from 'node:stream';
import { createMemoryConnection } from '../../http/create-memory-connection.ts';
import type { Responder } from '../steps/responder.ts';
import { createDelays } from './create-delays.ts';
import { createHttpServer } from './create-http-server.ts';
import { serverTimes } from './server-times.ts';

/**
 * Serves a mock over HTTP to the process that it lives in, without a port.
 *
 * @returns opens a connection, and gives the client's end of it
 */
export function serveInProcess(responder: Responder): () => Duplex {
  const server = createHttpServer(responder, {
    times: serverTimes,
    isClosing: () => false,
    reachOf: () => 'in-process',
    delays: createDelays(),
  });
  return () => {
    const ends = createMemoryConnection();
    server.emit('connection', ends.server);
    return ends.client;
  };
}
