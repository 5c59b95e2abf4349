import { Agent, type ClientRequest, type ServerResponse } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { openConnection, type TlsOptions } from '../../http/connect.ts';
import { errorCode } from '../../http/failures.ts';
import { openTunnel, routeThrough } from '../../http/outgoing-proxy.ts';
import { createGuard, type Guard } from './guard.ts';

/** The service that requests are forwarded to. */
export interface Upstream {
  readonly baseUrl: URL;
  /** The certificates that it may show, and that it is shown; used only for https:. */
  readonly tls: TlsOptions;
  /** The outgoing proxy, with its credentials. @defaultValue none */
  readonly proxy?: URL | undefined;
}

/**
 * A connection of a client, tied to the connection to the service that carries its requests: if either ends, the other
 * does. The client thus sees how the service keeps connections. No request is sent twice to hide that the service
 * closed a connection while a request was sent on it (RFC 9112 §9.3.1).
 */
export class ClientConnection {
  /**
   * Has one connection to the service. Requests thus reach the service in the order, and on the number of connections,
   * that the client used.
   */
  readonly agent: Agent;
  readonly #socket: Socket;
  readonly #guard: Guard;
  readonly #ready: 'connect' | 'secureConnect';
  readonly #ways = new WeakMap<Socket, { isReady: boolean; requests: number }>();
  /** The responses that have not passed yet. */
  readonly #underWay = new Set<ServerResponse>();
  #latest: ServerResponse | undefined;
  #isServiceGone = false;
  #onQuiet: (() => void) | undefined;

  constructor(socket: Socket, { baseUrl, tls, proxy }: Upstream) {
    const { hop } = routeThrough({ baseUrl, proxy });
    const isTls = hop.protocol === 'https:';
    const options = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1, noDelay: true };
    this.#socket = socket;
    this.#guard = createGuard(socket);
    this.#ready = isTls ? 'secureConnect' : 'connect';
    const trust = hop === proxy ? {} : tls;
    this.agent = isTls
      ? new TlsAgent({ ...options, ...trust, ALPNProtocols: ['http/1.1'] })
      : new Agent(options);
    if (proxy !== undefined && baseUrl.protocol === 'https:') {
      this.agent.createConnection = (_options, connected) => {
        openTunnel(proxy, baseUrl).then(
          (tunnel) => connected?.(null, openConnection(baseUrl, tls, tunnel)),
          (error: unknown) => {
            // `as`: Node passes the error on, and uses no connection.
            connected?.(error as Error, undefined as unknown as Socket);
          },
        );
        return undefined;
      };
    }
    socket.once('close', () => {
      // Node reports this only to the response that is being written, and not to those that wait behind it.
      [...this.#underWay].filter((each) => each.socket === null).forEach((each) => each.emit('close'));
      this.agent.destroy();
    });
    // If a request is destroyed while it waits for a connection, the agent still opens one, and keeps it.
    this.agent.on('free', (unused: Socket) => {
      if (socket.destroyed) unused.destroy();
    });
    // After an upgrade Node handles neither the errors of the connection nor its drain, which resumes a response.
    socket.on('error', () => socket.destroy());
    socket.on('drain', () => {
      this.#underWay.forEach((response) => response.socket === socket && response.emit('drain'));
    });
  }

  /** Whether the response to a request of this connection has not passed yet. */
  get isUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /** Whether incoming bytes are content of the latest request, and not the beginning of another. */
  get isInContent(): boolean {
    return this.#latest?.req.complete === false;
  }

  /**
   * Whether another response may be written: none has begun, and none is awaited except for the request whose content
   * is still coming.
   */
  get isIdle(): boolean {
    const isUnanswered = this.isInContent && this.#latest?.headersSent === false;
    return this.#underWay.size === 0 || (this.#underWay.size === 1 && isUnanswered);
  }

  /** Registers the response to a request of this connection, from the service or the proxy. */
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

  /** Registers a request of this connection that is forwarded. */
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

  /** Returns whether a request had an established connection, and whether that had carried earlier requests. */
  wayOf({ socket }: ClientRequest): { readonly wasConnected: boolean; readonly isReused: boolean } {
    const way = socket === null ? undefined : this.#ways.get(socket);
    return { wasConnected: way?.isReady ?? false, isReused: (way?.requests ?? 0) > 1 };
  }

  /** Records that a response has passed, or never will, and that no more of its request comes. */
  end(response: ServerResponse): void {
    this.#underWay.delete(response);
    if (!this.isUnderWay) {
      const goOn = this.#onQuiet;
      this.#onQuiet = undefined;
      goOn?.();
    }
    this.#endTogether();
  }

  /** Calls `goOn` when the responses to all requests have passed; never if the connection ends before. */
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

/** Maximum number of bytes that are kept before a connection is a tunnel; then the client has to wait. */
const mostEarly = 64 * 1_024;

/** A connection of a client that asks to become a tunnel. */
export interface AwaitedTunnel {
  readonly socket: Socket;
  /** Returns the bytes that were read to the connection, for its next reader. */
  release(): void;
}

/**
 * Reads a connection that asks to become a tunnel until it is one, and ends it with its client: only reading shows that
 * the client has gone. `head` contains the bytes that were read before.
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

/** The position at which Node's parser stopped. */
export interface ParseError {
  readonly reason: string;
  /** The chunk in which it stopped, and the part of it that was not parsed. */
  readonly packet: Uint8Array;
  readonly remaining: Uint8Array;
}

/** Reads the error of Node's HTTP client for bytes that its parser rejects; undefined for any other error. */
export function readParseError(error: Error): ParseError | undefined {
  if (!errorCode(error).startsWith('HPE_')) return undefined;
  const packet =
    'rawPacket' in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : new Uint8Array();
  const stopped = 'bytesParsed' in error && typeof error.bytesParsed === 'number' ? error.bytesParsed : 0;
  // For bytes after the last response of a connection, the parser has consumed the first byte.
  const read = errorCode(error) === 'HPE_CLOSED_CONNECTION' ? Math.max(0, stopped - 1) : stopped;
  return { reason: error.message, packet, remaining: packet.subarray(read) };
}
