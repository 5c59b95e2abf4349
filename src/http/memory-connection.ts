import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers';

type Settle = (error?: Error | null) => void;

/** What node:http and undici call on a socket, and what makes sense on a network alone. */
const network = {
  setTimeout: () => undefined,
  setNoDelay: () => undefined,
  setKeepAlive: () => undefined,
  ref: () => undefined,
  unref: () => undefined,
  /** Closes when what was written is through, as that of a network's socket does. */
  destroySoon(this: Duplex): void {
    if (this.writableFinished) {
      this.destroy();
      return;
    }
    this.once('finish', () => this.destroy());
    this.end();
  },
};

/** Has one end know when the other is gone: of a pair of streams only newer versions of Node do that, and too soon. */
function follow(end: Duplex, other: Duplex): void {
  // oxlint-disable-next-line no-underscore-dangle -- so streams call what is made to be overridden
  const write = other._write.bind(other);
  const socket = Object.assign(end, network, {
    bytesRead: 0,
    _destroy(error: Error | null, settle: Settle): void {
      // Whoever writes to this end waits for no reader any more.
      // oxlint-disable-next-line no-underscore-dangle -- as above
      end._read(0);
      // In a turn of its own, as the end of a network's connection comes: a client of undici that hears of an answer
      // and of the end of its connection at once waits for the rest of it for ever.
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
 * A connection that leaves the process neither through a port nor through a file: what is written to one end
 * is read from the other, in order, and no faster than it is read.
 */
export function createMemoryConnection(): { readonly client: Duplex; readonly server: Duplex } {
  const [client, server] = duplexPair();
  // As those of a network are: a client that reads the end has no more to say, and a server still answers.
  client.allowHalfOpen = false;
  follow(client, server);
  follow(server, client);
  return { client, server };
}
