import type { Socket } from 'node:net';
import { checkOptionNames } from '../../errors/check-option-names.ts';
import { acceptConnections } from '../../http/accept-connections.ts';
import type { Listener } from '../mock.ts';
import type { ListenOptions } from '../mock-options.ts';
import type { Responder } from '../steps/responder.ts';
import { createDelays } from './create-delays.ts';
import { createHttpServer } from './create-http-server.ts';
import { reachOf } from './reach-of.ts';
import { type ServerTimes, serverTimes } from './server-times.ts';

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
  checkOptionNames(options, { names: ['port', 'host'], attempt: 'listen with the option' });
  const { port = 0, host = '127.0.0.1' } = options;
  const sockets = new Set<Socket>();
  let isClosing = false;
  // Until that is known.
  let isOpenToOthers = true;
  const delays = createDelays();
  const server = createHttpServer(responder, {
    times,
    isClosing: () => isClosing,
    reachOf: (request) => reachOf(request, isOpenToOthers),
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
        if (socket.bytesRead === 0) {
          socket.destroy();
        }
      }
    });
  }
  function closeOnce(): Promise<void> {
    closed ??= close();
    return closed;
  }
  return { ...place, close: closeOnce, [Symbol.asyncDispose]: closeOnce };
}
