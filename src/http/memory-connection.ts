import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers';

type Settle = (error?: Error | null) => void;

/**
 * One end of a connection inside the process. It has those methods of a network's socket that node:http and undici call
 * on theirs; those that make sense on a network alone do nothing.
 */
class MemorySocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  bytesRead = 0;
  /** The other end, until this one has no more to say or is gone. */
  #peer: MemorySocket | undefined;
  /** Waits until this end wants to read more. */
  #resumePeer: Settle | undefined;

  join(peer: MemorySocket): void {
    this.#peer = peer;
  }

  override _read(): void {
    this.#letPeerGoOn();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, settle: Settle): void {
    const peer = this.#peer;
    if (peer === undefined || peer.destroyed) {
      settle(Object.assign(new Error('The other end of the connection is closed'), { code: 'EPIPE' }));
      return;
    }
    peer.#take(chunk, settle);
  }

  override _final(settle: Settle): void {
    this.#endPeer();
    settle();
  }

  override _destroy(error: Error | null, settle: Settle): void {
    this.#endPeer();
    // Whoever writes to this end waits for no reader any more.
    this.#letPeerGoOn();
    settle(error);
  }

  #take(chunk: Buffer, settle: Settle): void {
    this.bytesRead += chunk.length;
    if (this.push(chunk)) {
      // Not at once: an answer does not come before the call that sent its request is over.
      process.nextTick(settle);
    } else {
      this.#resumePeer = settle;
    }
  }

  #letPeerGoOn(): void {
    const resume = this.#resumePeer;
    this.#resumePeer = undefined;
    resume?.();
  }

  #endPeer(): void {
    const peer = this.#peer;
    this.#peer = undefined;
    // In a turn of its own, as the end of a network's connection comes: a client of undici that is told of an answer and
    // of the end of its connection at once waits for the rest of it for ever.
    setImmediate(() => {
      if (peer !== undefined && !peer.destroyed && !peer.readableEnded) {
        peer.push(null);
      }
    });
  }

  destroySoon(): void {
    if (this.writableFinished) {
      this.destroy();
      return;
    }
    this.once('finish', () => this.destroy());
    this.end();
  }

  resetAndDestroy(): this {
    return this.destroy();
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/**
 * A connection that leaves the process neither through a port nor through a file: what is written to one end is read
 * from the other, in order, and no faster than it is read.
 */
export function createMemoryConnection(): { readonly client: Duplex; readonly server: Duplex } {
  // As those of a network are: a client that reads the end has no more to say, and a server still answers.
  const client = new MemorySocket({ allowHalfOpen: false });
  const server = new MemorySocket({ allowHalfOpen: true });
  client.join(server);
  server.join(client);
  return { client, server };
}
