import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Reach } from '../control/mounted.ts';
import type { Responder } from '../steps/responder.ts';
import { answerClientError } from './answer-client-error.ts';
import { answerConnect } from './answer-connect.ts';
import type { Delays } from './create-delays.ts';
import { createRequestListener } from './create-request-listener.ts';
import type { ServerTimes } from './server-times.ts';

/** Where the log of a mock is what fails, it is no reason to end the process. */
function closeOnFailure(socket: Socket, answer: () => void): void {
  try {
    answer();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
    socket.destroy();
  }
}

/** What a server is made with. */
export interface HttpServerOptions {
  readonly times: ServerTimes;
  /** Whether it takes no more requests, so that each answer is the last of its connection. */
  readonly isClosing: () => boolean;
  readonly delays: Delays;
  /** How a request came. */
  readonly reachOf: (request: IncomingMessage) => Reach;
}

/** Makes a server that has a mock answer whatever comes over its connections; it has none yet. */
export function createHttpServer(
  responder: Responder,
  { times, isClosing, delays, reachOf }: HttpServerOptions,
): Server {
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
  const onRequest = createRequestListener(responder, { isClosing, delays, lingerMs, reachOf });
  server.on('request', onRequest);
  server.on('checkContinue', onRequest);
  // A server may leave other expectations aside (RFC 9110 §10.1.1), as it may an Upgrade (§7.8).
  server.on('checkExpectation', onRequest);
  server.on('connect', (request, socket: Socket) =>
    closeOnFailure(socket, () => answerConnect(request, { socket, responder, lingerMs })),
  );
  server.on('clientError', (error, socket: Socket) =>
    closeOnFailure(socket, () => answerClientError(error, { socket, responder, lingerMs })),
  );
  return server;
}
