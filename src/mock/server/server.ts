import type { EventEmitter } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Http2SecureServer, Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ClocheError } from '../../errors/cloche-error.ts';
import { checkOptionNames } from '../../errors/suggest.ts';
import { acceptConnections, loopback } from '../../http/listen.ts';
import { createMemoryConnection } from '../../http/memory-connection.ts';
import { createDelays } from '../clock.ts';
import type { Listener, ListenOptions, TlsFiles } from '../mock.ts';
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

/** The settings of HTTP/1.1. */
const settingsOf = (times: ServerTimes): ServerOptions => ({
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

type ServerState = Omit<ListenerState, 'lingerMs'> & { readonly times: ServerTimes };

/** Makes a mock answer unusual requests and errors of a server over HTTP/1.1. Returns the listener of its requests. */
function serveHttp1(
  server: Server | Http2SecureServer,
  responder: Responder,
  options: ServerState,
): RequestListener {
  const { times } = options;
  const { lingerMs } = times;
  // Each kind of server declares its own events, and has those of the other.
  const events: EventEmitter = server;
  const onRequest = createRequestListener(responder, { ...options, lingerMs });
  events.on('checkContinue', onRequest);
  // A server may ignore other expectations (RFC 9110 §10.1.1) and an Upgrade (§7.8).
  events.on('checkExpectation', onRequest);
  const placeOf = (socket: Socket): ClientErrorPlace => ({
    socket,
    responder,
    lingerMs,
    reach: options.reachOf(socket),
  });
  // Node creates no response for CONNECT. It is answered like any undeclared method (RFC 9110 §9.3.6 requires no
  // support from a server that is not a proxy).
  events.on('connect', (request: IncomingMessage, socket: Socket) =>
    closeOnFailure(socket, () => {
      // Node no longer handles errors of the connection.
      socket.on('error', () => socket.destroy());
      answerHead(new NodeRequestHead(request), placeOf(socket));
    }),
  );
  events.on('clientError', (error: Error, socket: Socket) =>
    closeOnFailure(socket, () => answerClientError(error, placeOf(socket))),
  );
  return onRequest;
}

/** Creates a server of HTTP/1.1 whose requests a mock answers; it does not listen yet. */
function createHttpServer(responder: Responder, options: ServerState): Server {
  const server = createServer(settingsOf(options.times));
  // By default, Node silently drops fields after the first thousand. A client could then hide fields from the access
  // check of the control interface. The total size of all fields stays limited, with 431.
  server.maxHeadersCount = 0;
  return server.on('request', serveHttp1(server, responder, options));
}

/** Creates a server of HTTPS, with HTTP/2 for clients that choose it. It accepts HTTP/1.1 with the same settings. */
async function createTlsServer(
  files: TlsFiles,
  responder: Responder,
  options: ServerState,
): Promise<Http2SecureServer> {
  const [{ createSecureServer }, { createHttp2Listener }] = await Promise.all([
    import('node:http2'),
    import('./http2-listener.ts'),
    checkTls(files),
  ]);
  const server = createSecureServer({ ...files, allowHTTP1: true });
  // Node reads the settings of HTTP/1.1 from the server itself.
  Object.assign(server, settingsOf(options.times), { maxHeadersCount: 0 });
  const onHttp1 = serveHttp1(server, responder, options);
  const onHttp2 = createHttp2Listener(responder, options);
  // A request of HTTP/1.1 on this server is one of node:http, which the types do not say.
  const events: EventEmitter = server;
  events.on('request', (request: Http2ServerRequest | IncomingMessage, response: ServerResponse) => {
    if ('stream' in request) onHttp2(request);
    else onHttp1(request, response);
  });
  // An error of a session ends only that session.
  return server.on('sessionError', () => undefined);
}

/** Checks that a certificate and key belong together. @throws ClocheError OPTION_INVALID for any others */
async function checkTls(files: TlsFiles): Promise<void> {
  // Loaded late: most mocks serve no HTTPS.
  const { createSecureContext } = await import('node:tls');
  try {
    createSecureContext(files);
  } catch (cause) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the certificate',
      subject: 'https',
      reason: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Give a certificate and its private key in PEM form, or neither for one that is made',
      cause,
    });
  }
}

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
  checkOptionNames(options, { names: ['port', 'host', 'https'], attempt: 'listen with the option' });
  const { port = 0, host = '127.0.0.1', https = false } = options;
  const sockets = new Set<Socket>();
  let isClosing = false;
  // Whether other machines can reach the address; true until that is known.
  let isOpenToOthers = true;
  const delays = createDelays();
  const state = {
    times,
    isClosing: () => isClosing,
    reachOf: ({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>) =>
      !isOpenToOthers && loopback.test(remoteAddress) ? ('loopback' as const) : ('network' as const),
    delays,
  };
  // Loaded at the first use: most mocks serve HTTP.
  const local = https === true ? await (await import('./certificate.ts')).openLocalCertificate() : undefined;
  const files = typeof https === 'object' ? https : local;
  const server =
    files === undefined ? createHttpServer(responder, state) : await createTlsServer(files, responder, state);
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
      const giveUp = setTimeout(() => sockets.forEach((socket) => socket.destroy()), times.closeMs);
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
  const closeOnce = (): Promise<void> => (closed ??= close());
  return {
    ...place,
    ...(files === undefined ? {} : { url: place.url.replace('http:', 'https:') }),
    certificate: local?.file,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
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
