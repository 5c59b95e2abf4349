import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkOptionNames } from '../../errors/suggest.ts';
import { acceptConnections } from '../../http/listen.ts';
import { createMemoryConnection } from '../../http/memory-connection.ts';
import { createDelays } from '../clock.ts';
import type { Listener, ListenOptions } from '../mock.ts';
import type { Responder } from '../responder.ts';
import { answerClientError, answerHead, type ClientErrorPlace } from './client-errors.ts';
import { createRequestListener, type ListenerState, NodeRequestHead } from './request-listener.ts';

/** Timeouts of the server, in milliseconds. */
export interface ServerTimes {
  /** For receiving the head of a request. */
  readonly headMs: number;
  /** For receiving a whole request. */
  readonly requestMs: number;
  /** The interval between checks for connections that timed out. */
  readonly checkMs: number;
  /** For the next request on a connection. */
  readonly keepAliveMs: number;
  /** For a client to stop sending content that is discarded. */
  readonly lingerMs: number;
  /** For requests in flight when the server closes. */
  readonly closeMs: number;
}

/** The default timeouts of the server. */
export const serverTimes: ServerTimes = {
  headMs: 10_000,
  requestMs: 30_000,
  checkMs: 1000,
  keepAliveMs: 10_000,
  lingerMs: 2000,
  closeMs: 2000,
};

/** Closes the connection after an error, which must not end the process: the log may have failed. */
function closeOnFailure(socket: Socket, answer: () => void): void {
  try {
    answer();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
    socket.destroy();
  }
}

/** Creates a server whose requests a mock answers; it does not listen yet. */
function createHttpServer(
  responder: Responder,
  options: Omit<ListenerState, 'lingerMs'> & { readonly times: ServerTimes },
): Server {
  const { times } = options;
  const server = createServer({
    headersTimeout: times.headMs,
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: times.checkMs,
    keepAliveTimeout: times.keepAliveMs,
    // Two Authorization fields must arrive as two, not only the first.
    joinDuplicateHeaders: true,
    // The mock itself answers requests without a Host.
    requireHostHeader: false,
    noDelay: true,
  });
  // By default, Node silently drops fields after the first thousand. A client could then hide fields from the access
  // check of the control interface. The total size of all fields stays limited, with 431.
  server.maxHeadersCount = 0;
  const { lingerMs } = times;
  const onRequest = createRequestListener(responder, { ...options, lingerMs });
  server.on('request', onRequest);
  server.on('checkContinue', onRequest);
  // A server may ignore other expectations (RFC 9110 §10.1.1) and an Upgrade (§7.8).
  server.on('checkExpectation', onRequest);
  const placeOf = (socket: Socket): ClientErrorPlace => ({
    socket,
    responder,
    lingerMs,
    reach: options.reachOf(socket),
  });
  // Node creates no response for CONNECT. It is answered like any undeclared method (RFC 9110 §9.3.6 requires no
  // support from a server that is not a proxy).
  server.on('connect', (request, socket: Socket) =>
    closeOnFailure(socket, () => {
      // Node no longer handles errors of the connection.
      socket.on('error', () => socket.destroy());
      answerHead(new NodeRequestHead(request), placeOf(socket));
    }),
  );
  server.on('clientError', (error, socket: Socket) =>
    closeOnFailure(socket, () => answerClientError(error, placeOf(socket))),
  );
  return server;
}

/** Loopback addresses (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
const loopback = /^(?:127\.|::1$|::ffff:127\.)/u;

/**
 * Serves a mock over HTTP. Clients that are too slow, or stop midway, time out.
 *
 * @throws ClocheError PORT_UNAVAILABLE if it cannot listen on the port, OPTION_INVALID for an invalid port
 */
export async function listen(
  responder: Responder,
  options: ListenOptions = {},
  times: ServerTimes = serverTimes,
): Promise<Listener> {
  checkOptionNames(options, { names: ['port', 'host'], attempt: 'listen with the option' });
  const { port = 0, host = '127.0.0.1' } = options;
  const sockets = new Set<Socket>();
  let isClosing = false;
  // Whether other machines can reach the address; true until that is known.
  let isOpenToOthers = true;
  const delays = createDelays();
  const server = createHttpServer(responder, {
    times,
    isClosing: () => isClosing,
    reachOf: (socket) =>
      !isOpenToOthers && loopback.test(socket.remoteAddress ?? '') ? 'loopback' : 'network',
    delays,
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const place = await acceptConnections(server, { port, host });
  ({ isOpenToOthers } = place);

  let closed: Promise<void> | undefined;
  function close(): Promise<void> {
    isClosing = true;
    delays.endAll();
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => server.closeAllConnections(), times.closeMs);
      server.close(() => {
        clearTimeout(giveUp);
        resolve();
      });
      // A browser opens connections in advance; without a received byte, a connection has no request in flight.
      for (const socket of sockets) {
        if (socket.bytesRead === 0) socket.destroy();
      }
    });
  }
  function closeOnce(): Promise<void> {
    closed ??= close();
    return closed;
  }
  return { ...place, close: closeOnce, [Symbol.asyncDispose]: closeOnce };
}

/** Serves a mock over HTTP inside the process, without a port, and returns the client's end; `https:` simulates TLS. */
export function serveInProcess(responder: Responder): (protocol: string) => Duplex {
  const server = createHttpServer(responder, {
    times: serverTimes,
    isClosing: () => false,
    reachOf: () => 'in-process',
    delays: createDelays(),
  });
  return (protocol) => {
    const ends = createMemoryConnection();
    // A TLSSocket of Node has the same property.
    if (protocol === 'https:') Object.assign(ends.server, { encrypted: true });
    server.emit('connection', ends.server);
    return ends.client;
  };
}
