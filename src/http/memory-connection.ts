import { createServer, type RequestListener, Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers';

type Settle = (error?: Error | null) => void;

/** Methods that node:http and undici call on a socket and that only matter on a network. */
const network = {
  setTimeout: () => undefined,
  setNoDelay: () => undefined,
  setKeepAlive: () => undefined,
  ref: () => undefined,
  unref: () => undefined,
  /** Closes the connection when all written data is flushed, like a network socket. */
  destroySoon(this: Duplex): void {
    if (this.writableFinished) {
      this.destroy();
      return;
    }
    this.once('finish', () => this.destroy());
    this.end();
  },
};

/** Notifies one end when the other closes. Only newer Node versions do that for stream pairs, and too early. */
function follow(end: Duplex, other: Duplex): void {
  // oxlint-disable-next-line no-underscore-dangle -- so streams call what is made to be overridden
  const write = other._write.bind(other);
  const socket = Object.assign(end, network, {
    bytesRead: 0,
    _destroy(error: Error | null, settle: Settle): void {
      // Writers to this end no longer wait for a reader.
      // oxlint-disable-next-line no-underscore-dangle -- as above
      end._read(0);
      // Scheduled separately, like the end of a network connection. A client of undici that receives a response and the
      // end of its connection in the same turn would wait forever for the rest.
      setImmediate(() => {
        if (!other.destroyed && !other.readableEnded) {
          other.push(null);
        }
      });
      settle(error);
    },
  });
  Object.assign(other, {
    _write(chunk: Buffer, encoding: BufferEncoding, settle: Settle): void {
      if (end.destroyed) {
        settle(Object.assign(new Error('The other end of the connection is closed'), { code: 'EPIPE' }));
        return;
      }
      socket.bytesRead += chunk.length;
      write(chunk, encoding, settle);
    },
  });
}

/**
 * Creates a connection that uses neither a port nor a file. Data written to one end is read from the other, in order
 * and with backpressure.
 */
export function createMemoryConnection(): { readonly client: Duplex; readonly server: Duplex } {
  const [client, server] = duplexPair();
  // Like network sockets: a client that reads the end closes its side, and a server can still respond.
  client.allowHalfOpen = false;
  follow(client, server);
  follow(server, client);
  return { client, server };
}

/**
 * An app that answers requests of node:http: a listener such as an Express app, a server, or an app that creates its
 * server when it is ready, as Fastify does.
 */
export type NodeApp = RequestListener | Server | { ready(): PromiseLike<unknown>; readonly server: Server };

async function openServer(app: NodeApp): Promise<Server> {
  if (app instanceof Server) return app;
  if (typeof app !== 'function') {
    await app.ready();
    return app.server;
  }
  const server = createServer(app);
  // Node would drop header fields after the first 2,000.
  server.maxHeadersCount = 0;
  return server;
}

/** Serves an app inside the process, without a port. Returns the function that opens a connection to it. */
export async function serveInMemory(app: NodeApp): Promise<() => Duplex> {
  const server = await openServer(app);
  return () => {
    const ends = createMemoryConnection();
    server.emit('connection', ends.server);
    return ends.client;
  };
}
