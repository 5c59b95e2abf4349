import { Agent, type ClientRequest, type ServerResponse } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { TlsTrust } from '../../http/connect.ts';
import { errorCode } from '../../http/failures.ts';
import { createGuard, type Guard } from './guard.ts';

/** The service that requests are forwarded to. */
export interface Upstream {
  readonly baseUrl: URL;
  /** Which certificates it may show; looked at for https: alone. */
  readonly trust: TlsTrust;
}

/**
 * A connection of a client, tied to the one to the service that carries its requests: where either ends, the other
 * does. So a client meets the service's own way of keeping connections, and nothing is ever sent twice to hide that
 * the service closed one just as a request left on it (RFC 9112 §9.3.1).
 */
export class ClientConnection {
  /**
   * Has one connection to the service, so that requests reach the service in the order, and on as many connections,
   * as the client sent them.
   */
  readonly agent: Agent;
  readonly #socket: Socket;
  readonly #guard: Guard;
  readonly #ready: 'connect' | 'secureConnect';
  readonly #ways = new WeakMap<Socket, { isReady: boolean; requests: number }>();
  /** The answers that have not passed yet. */
  readonly #underWay = new Set<ServerResponse>();
  #latest: ServerResponse | undefined;
  #isServiceGone = false;
  #onQuiet: (() => void) | undefined;

  constructor(socket: Socket, { baseUrl, trust }: Upstream) {
    const isTls = baseUrl.protocol === 'https:';
    const options = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1, noDelay: true };
    this.#socket = socket;
    this.#guard = createGuard(socket);
    this.#ready = isTls ? 'secureConnect' : 'connect';
    this.agent = isTls
      ? new TlsAgent({ ...options, ...trust, ALPNProtocols: ['http/1.1'] })
      : new Agent(options);
    socket.once('close', () => {
      // Node tells this only to the answer that is being written, and not to those that wait behind it.
      [...this.#underWay].filter((each) => each.socket === null).forEach((each) => each.emit('close'));
      this.agent.destroy();
    });
    // For a request that was destroyed as it waited for a connection, the agent opens one all the same, and keeps it.
    this.agent.on('free', (unused: Socket) => {
      if (socket.destroyed) unused.destroy();
    });
    // After an upgrade Node handles neither the errors of the connection nor its drain, which resumes an answer.
    socket.on('error', () => socket.destroy());
    socket.on('drain', () => {
      this.#underWay.forEach((response) => response.socket === socket && response.emit('drain'));
    });
  }

  /** Whether the answer to a request of this connection has not passed yet. */
  get isUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /** Whether what comes is content of the latest request, and not the beginning of another. */
  get isInContent(): boolean {
    return this.#latest?.req.complete === false;
  }

  /**
   * Whether another answer may be written: none has begun, and none is waited for but that to the request of which the
   * content is still coming.
   */
  get isSilent(): boolean {
    const isUnread = this.isInContent && this.#latest?.headersSent === false;
    return this.#underWay.size === 0 || (this.#underWay.size === 1 && isUnread);
  }

  /** Notes where the answer to a request of this connection will be written, whoever answers it. */
  begin(response: ServerResponse): void {
    const { req: request } = response;
    this.#underWay.add(response);
    this.#latest = response;
    response.once('close', () => {
      if (request.readableEnded || request.socket.destroyed) {
        this.end(response);
      } else {
        request.once('end', () => this.end(response));
      }
    });
  }

  /** Notes that a request of this connection is forwarded. */
  forward(request: ClientRequest): void {
    request.once('socket', (socket) => {
      const known = this.#ways.get(socket);
      if (known !== undefined) {
        known.requests += 1;
        return;
      }
      const way = { isReady: false, requests: 1 };
      this.#ways.set(socket, way);
      this.#isServiceGone = false;
      socket.once(this.#ready, () => {
        way.isReady = true;
      });
      socket.once('close', this.#onServiceClose);
    });
  }

  /** Whether a request came to a connection that stood, and to one that had carried others before it. */
  wayOf({ socket }: ClientRequest): { readonly wasConnected: boolean; readonly isReused: boolean } {
    const way = socket === null ? undefined : this.#ways.get(socket);
    return { wasConnected: way?.isReady ?? false, isReused: (way?.requests ?? 0) > 1 };
  }

  /** Notes that the answer to one has passed, or never will, and that nothing more of the request comes. */
  end(response: ServerResponse): void {
    this.#underWay.delete(response);
    if (!this.isUnderWay) {
      const goOn = this.#onQuiet;
      this.#onQuiet = undefined;
      goOn?.();
    }
    this.#endTogether();
  }

  /** Goes on when the answers to all requests have passed; not at all where the connection ends before. */
  whenQuiet(goOn: () => void): void {
    if (this.isUnderWay) {
      this.#onQuiet = this.#guard(goOn);
    } else {
      goOn();
    }
  }

  readonly #onServiceClose = (): void => {
    this.#isServiceGone = true;
    this.#endTogether();
  };

  #endTogether(): void {
    if (this.#isServiceGone && !this.isUnderWay) {
      this.#socket.destroySoon();
    }
  }
}

/** Of what a client sends before its connection is a tunnel, so many bytes are kept before it has to wait. */
const mostEarly = 64 * 1_024;

/** A connection of a client that asks to become a tunnel. */
export interface AwaitedTunnel {
  readonly socket: Socket;
  /** Puts what has been read back, for whoever reads the connection next. */
  release(): void;
}

/**
 * Reads a connection that asks to become a tunnel until it is one, and ends it with its client: only a connection that
 * is read shows that its client has gone. `head` is what has been read of it already.
 */
export function awaitTunnel(socket: Socket, head: Buffer): AwaitedTunnel {
  const early = [head];
  let length = head.length;
  function take(chunk: Buffer): void {
    early.push(chunk);
    length += chunk.length;
    if (length > mostEarly) socket.pause();
  }
  const end = (): void => socket.destroySoon();
  socket.on('data', take).once('end', end);
  return {
    socket,
    release() {
      socket.off('data', take).off('end', end).pause();
      if (length > 0) socket.unshift(Buffer.concat(early));
    },
  };
}

/** Where Node's parser stopped in what came. */
export interface ParseError {
  readonly reason: string;
  /** The piece in which it stopped, and what of it is not read. */
  readonly packet: Uint8Array;
  readonly unread: Uint8Array;
}

/** Reads the error that Node's HTTP client raises for bytes that its parser refuses; undefined for any other error. */
export function readParseError(error: Error): ParseError | undefined {
  if (!errorCode(error).startsWith('HPE_')) return undefined;
  const packet =
    'rawPacket' in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : new Uint8Array();
  const stopped = 'bytesParsed' in error && typeof error.bytesParsed === 'number' ? error.bytesParsed : 0;
  // Of what comes after the last answer of a connection, the parser has taken the first byte.
  const read = errorCode(error) === 'HPE_CLOSED_CONNECTION' ? Math.max(0, stopped - 1) : stopped;
  return { reason: error.message, packet, unread: packet.subarray(read) };
}
