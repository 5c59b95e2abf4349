import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkOptionNames } from '../../errors/suggest.ts';
import { acceptConnections } from '../../http/listen.ts';
import { createMemoryConnection } from '../../http/memory-connection.ts';
import type { Listener, ListenOptions } from '../mock.ts';
import type { Responder } from '../responder.ts';
import { answerClientError, answerHead, type ClientErrorPlace } from './client-errors.ts';
import { createDelays } from './delivery.ts';
import { createRequestListener, type ListenerState, NodeRequestHead } from './request-listener.ts';

/** How long the server waits for what, in milliseconds. */
export interface ServerTimes {
  /** For the head of a request. */
  readonly headMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** Between two looks at which connections are past their time. */
  readonly checkMs: number;
  /** For the next request on a connection. */
  readonly keepAliveMs: number;
  /** For a client to stop sending content that nobody reads. */
  readonly lingerMs: number;
  /** For what is in flight when the server closes. */
  readonly closeMs: number;
}

/** How long the server waits where nobody says otherwise. */
export const serverTimes: ServerTimes = {
  headMs: 10_000,
  requestMs: 30_000,
  checkMs: 1000,
  keepAliveMs: 10_000,
  lingerMs: 2000,
  closeMs: 2000,
};

/** Where the log of a mock is what fails, it is no reason to end the process. */
function closeOnFailure(socket: Socket, answer: () => void): void {
  try {
    answer();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
    socket.destroy();
  }
}

/** Makes a server that has a mock answer whatever comes over its connections; it has none yet. */
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
    // Two Authorization fields are to be seen as two, not as the first of them.
    joinDuplicateHeaders: true,
    // The answer to a request without a Host is ours too.
    requireHostHeader: false,
    noDelay: true,
  });
  // Node drops what comes past a thousand fields without a word: whoever sent as many would hide from the guard of the
  // control interface what tells on him. The bytes of all fields together are bounded, with 431.
  server.maxHeadersCount = 0;
  const { lingerMs } = times;
  const onRequest = createRequestListener(responder, { ...options, lingerMs });
  server.on('request', onRequest);
  server.on('checkContinue', onRequest);
  // A server may leave other expectations aside (RFC 9110 §10.1.1), as it may an Upgrade (§7.8).
  server.on('checkExpectation', onRequest);
  const placeOf = (socket: Socket): ClientErrorPlace => ({
    socket,
    responder,
    lingerMs,
    reach: options.reachOf(socket),
  });
  // Node makes no response to CONNECT, which is answered as any method that is not declared (RFC 9110 §9.3.6 leaves it
  // to a server that is no proxy).
  server.on('connect', (request, socket: Socket) =>
    closeOnFailure(socket, () => {
      // Node has let go of the connection, and of its errors with it.
      socket.on('error', () => socket.destroy());
      answerHead(new NodeRequestHead(request), placeOf(socket));
    }),
  );
  server.on('clientError', (error, socket: Socket) =>
    closeOnFailure(socket, () => answerClientError(error, placeOf(socket))),
  );
  return server;
}

/** What only programs on the same machine come from (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
const loopback = /^(?:127\.|::1$|::ffff:127\.)/u;

/**
 * Serves a mock over HTTP. Clients that are too slow, or stop halfway, are given up on.
 *
 * @throws ClocheError PORT_UNAVAILABLE where it cannot listen there, OPTION_INVALID for what is no port
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
  // Whether other machines reach the address; until that is known, they may.
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
      // A browser opens connections in advance; nothing is in flight on one that never sent anything.
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

/** Serves a mock over HTTP inside the process, without a port, and returns the client's end; `https:` stands for TLS. */
export function serveInProcess(responder: Responder): (protocol: string) => Duplex {
  const server = createHttpServer(responder, {
    times: serverTimes,
    isClosing: () => false,
    reachOf: () => 'in-process',
    delays: createDelays(),
  });
  return (protocol) => {
    const ends = createMemoryConnection();
    // As Node has it of a TLSSocket.
    if (protocol === 'https:') Object.assign(ends.server, { encrypted: true });
    server.emit('connection', ends.server);
    return ends.client;
  };
}
