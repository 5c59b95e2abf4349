import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { acceptConnections } from '../../http/accept-connections.ts';
import type { Listener } from '../mock.ts';
import type { ListenOptions } from '../mock-options.ts';
import type { Responder } from '../steps/responder.ts';
import { answerClientError } from './answer-client-error.ts';
import { answerConnect } from './answer-connect.ts';
import { createRequestListener } from './create-request-listener.ts';
import { type ServerTimes, serverTimes } from './server-times.ts';

/** Where the log of a mock is what fails, it is no reason to end the process. */
function closeOnFailure(socket: Socket, answer: () => void): void {
  try {
    answer();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
    socket.destroy();
  }
}

/**
 * Serves a mock over HTTP. Clients that are too slow, or stop halfway, are given up on.
 *
 * @param times - how long it waits for what
 * @throws ClocheError PORT_UNAVAILABLE where it cannot listen there, OPTION_INVALID for what is no port
 */
export async function listen(
  responder: Responder,
  options: ListenOptions = {},
  times: ServerTimes = serverTimes,
): Promise<Listener> {
  const { port = 0, host = '127.0.0.1' } = options;
  const sockets = new Set<Socket>();
  let isClosing = false;
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
  const { lingerMs } = times;
  const onRequest = createRequestListener(responder, { isClosing: () => isClosing, lingerMs });
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
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const place = await acceptConnections(server, { port, host });

  let closed: Promise<void> | undefined;
  function close(): Promise<void> {
    isClosing = true;
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => server.closeAllConnections(), times.closeMs);
      server.close(() => {
        clearTimeout(giveUp);
        resolve();
      });
      // A browser opens connections in advance; nothing is in flight on one that never sent anything.
      for (const socket of sockets) {
        if (socket.bytesRead === 0) {
          socket.destroy();
        }
      }
    });
  }
  return {
    ...place,
    close() {
      closed ??= close();
      return closed;
    },
  };
}
