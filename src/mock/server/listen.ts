import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { Listener } from '../mock.ts';
import type { ListenOptions } from '../mock-options.ts';
import type { Responder } from '../steps/responder.ts';
import { answerClientError } from './answer-client-error.ts';
import { answerConnect } from './answer-connect.ts';
import { createRequestListener } from './create-request-listener.ts';
import { type ServerTimes, serverTimes } from './server-times.ts';

const reasons: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EADDRINUSE: ['another program has the port', 'Choose another with --port, or 0 for any that is free'],
  EACCES: ['the system does not allow this port', 'Choose one above 1023 with --port'],
  EADDRNOTAVAIL: ['the host is no address of this machine', 'Choose another with --host'],
  ENOTFOUND: ['the host has no address', 'Choose another with --host'],
};

function toError(error: NodeJS.ErrnoException, place: string): ClocheError {
  const [reason, remedy] = reasons[error.code ?? ''] ?? [
    error.message,
    'Choose another place with --host and --port',
  ];
  return new ClocheError('PORT_UNAVAILABLE', {
    attempt: 'listen on',
    subject: place,
    reason,
    remedy,
    cause: error,
  });
}

/** What only this machine reaches (RFC 5735 §3, RFC 4291 §2.5.3). */
const loopback = /^(?:127\.|::1$|::ffff:127\.)/u;

/** A host and port as a URL has them (RFC 3986 §3.2.2). */
function toAuthority(host: string, port: number): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function start(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(toError(error, toAuthority(host, port))));
    server.listen(port, host, () => {
      // `as`: a server that listens on a port has such an address; only pipes have others.
      resolve(server.address() as AddressInfo);
    });
  });
}

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
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'listen on port',
      subject: String(port),
      reason: 'it is no number from 0 to 65535',
      remedy: 'Choose one, or 0 for any that is free',
    });
  }
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
  const address = await start(server, port, host);

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
    url: `http://${toAuthority(address.address, address.port)}`,
    isOpenToOthers: !loopback.test(address.address),
    close() {
      closed ??= close();
      return closed;
    },
  };
}
