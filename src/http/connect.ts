import { X509Certificate } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, createSecureContext } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { ClocheError } from '../errors/cloche-error.ts';
import { errorCode } from './failures.ts';
import { type Answer, type SendTarget, usualResponseLimit } from './message.ts';
import { bareHost, openTunnel } from './outgoing-proxy.ts';

/** A service to send requests to, over the network or inside the process. */
export interface ConnectTarget extends SendTarget {
  /** Opens a connection inside the process, which uses plain HTTP/1.1. @defaultValue a connection over the network */
  readonly connect?: (() => Duplex) | undefined;
}

/** The certificates that a TLS connection accepts and presents, in the option names of node:tls. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Returns which certificates the connections to a target accept and present.
 *
 * @throws ClocheError OPTION_INVALID if `ca` contains no certificate, which node:tls would ignore, or if `clientCert`
 * and `clientKey` are no pair of a certificate and its key
 */
export function toTlsOptions(
  target: Pick<SendTarget, 'insecure' | 'ca' | 'clientCert' | 'clientKey'>,
): TlsOptions {
  const { insecure = false, ca, clientCert: cert, clientKey: key } = target;
  const options = { rejectUnauthorized: !insecure, ...(ca === undefined ? {} : { ca }) };
  try {
    if (ca !== undefined) void new X509Certificate(ca);
  } catch (error) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the certificate of',
      subject: '--ca',
      reason: 'the file holds no certificate in PEM form',
      remedy: 'Name a file that has a line -----BEGIN CERTIFICATE-----',
      cause: error,
    });
  }
  if (cert === undefined && key === undefined) return options;
  try {
    if (cert === undefined || key === undefined) throw new Error('the other one is missing');
    createSecureContext({ cert, key });
    return { ...options, cert, key };
  } catch (error) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the client certificate of',
      subject: '--client-cert and --client-key',
      reason: describePairFailure(error),
      remedy: 'Name a certificate and its private key without a passphrase, two PEM files',
      cause: error,
    });
  }
}

/** Describes why OpenSSL does not accept a certificate with a private key. */
function describePairFailure(error: unknown): string {
  const words: Readonly<Record<string, string>> = {
    ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'the key is not that of the certificate',
    ERR_OSSL_X509_KEY_TYPE_MISMATCH: 'the key is not that of the certificate',
    ERR_MISSING_PASSPHRASE: 'the key is encrypted',
    ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED: 'the key is encrypted',
  };
  return words[errorCode(error)] ?? (error instanceof Error ? error.message : 'they cannot be read');
}

/**
 * Opens a TCP connection to a base URL, or a TLS connection for https:, which uses HTTP/1.1 and sends each write
 * immediately. It emits `connect`, or `secureConnect` for https:, when it is ready.
 *
 * @param tunnel - the connection to use instead of a new one; it is ready, so that it never emits `connect`
 */
export function openConnection(baseUrl: URL, tls: TlsOptions, tunnel?: Socket): Socket {
  const host = bareHost(baseUrl);
  if (baseUrl.protocol !== 'https:') {
    return tunnel ?? connectTcp({ host, port: Number(baseUrl.port || 80), noDelay: true });
  }
  const isAddress = /^[\d.]+$|:/u.test(host);
  const socket = connectTls({
    host,
    port: Number(baseUrl.port || 443),
    ...(tunnel === undefined ? {} : { socket: tunnel }),
    ALPNProtocols: ['http/1.1'],
    ...tls,
    // RFC 6066 §3: an IP address is not a server name.
    ...(isAddress ? {} : { servername: host }),
  });
  return socket.setNoDelay(true);
}

/** Returns a connection inside the process with the type of a socket. */
export function asSocket(connection: Duplex): Socket {
  // `as`: clients of a connection use only what a Duplex has, and check for everything else.
  return connection as Socket;
}

/** Long enough for a packet to be sent before the next is written. */
const betweenPacketsMs = 5;

/** Yields the pieces of a request with pauses, which puts each in a separate packet. */
export async function* withPauses(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) {
      await pause(betweenPacketsMs);
    }
    yield piece;
  }
}

/** The end of the reason of a drop that may not be caused by the service. */
const note = 'on a connection that had been used before';

/** Marks the reason of a drop for {@link isStaleConnectionDrop}. */
export function noteStaleConnection(reason: string): string {
  return `${reason}, ${note}`;
}

/**
 * Returns whether a dropped connection is no evidence about the request: it had carried responses before, and no byte
 * of this one arrived. A service may close an idle connection at any time, and the request may have been sent at the
 * same moment (RFC 9112 §9.3.1, §9.5). It is unknown whether the service handled the request.
 */
export function isStaleConnectionDrop(answer: Answer): boolean {
  return answer.kind === 'dropped' && answer.received.length === 0 && answer.reason.endsWith(note);
}

/** The maximum idle time. The service may close an idle connection at any time, which would lose a request. */
const mostIdleMs = 1000;

/** How much earlier than the service announces (`Keep-Alive: timeout=5`) a connection is closed. */
const earlierMs = 500;

/** The maximum size of a response's header section; the default of undici is 16 KiB. */
export const mostHeaderBytes: number = 256 * 1024;

/** A client of undici, with one connection at most, and the data received on it. */
export interface UrlConnection {
  readonly client: Client;
  /** The raw bytes received since the last request was sent. */
  received: Uint8Array[];
  /** The number of requests sent on the open connection. */
  uses: number;
  /** Whether the response to the last request is complete. */
  isAnswered: boolean;
  /** The error that ended the socket, which undici does not expose. */
  failure: unknown;
}

/** Removes interim `100 Continue` responses: undici rejects them, but a client must accept them (RFC 9110 §15.2). */
function withoutContinue(chunk: Buffer): Buffer {
  let rest = chunk;
  while (rest[9] === 0x31 && /^HTTP\/1\.\d 100[ \r]/u.test(rest.toString('latin1', 0, 13))) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

/**
 * Records received bytes, because undici does not report how much of a response had arrived when it was interrupted. At
 * most `most` bytes are kept, because interim responses may never end.
 */
function noteReceived(socket: Socket, connection: UrlConnection, most: number): void {
  const read = socket.read.bind(socket);
  let isAtStart = true;
  let kept = 0;
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!(chunk instanceof Buffer)) return chunk;
    isAtStart = connection.received.length === 0 || isAtStart;
    kept = connection.received.length === 0 ? 0 : kept;
    if (kept <= most) {
      kept += chunk.length;
      connection.received.push(chunk);
    }
    if (!isAtStart) return chunk;
    const rest = withoutContinue(chunk);
    isAtStart = rest.length === 0;
    return isAtStart ? socket.read(size) : rest;
  };
}

/**
 * Returns the function that connects to the service, or to its proxy: a TLS connection passes through a tunnel of the
 * proxy, and an http: request is sent to the proxy itself.
 */
function prepareConnector(target: ConnectTarget): buildConnector.connector {
  const { baseUrl, proxy, timeoutMs, connect: open } = target;
  if (open !== undefined) {
    // A real socket never connects synchronously. If this one did, undici would never send its queued requests.
    return (_options, callback) => queueMicrotask(() => callback(null, asSocket(open())));
  }
  const direct = buildConnector({ ...toTlsOptions(target), timeout: timeoutMs });
  if (proxy === undefined) return direct;
  if (baseUrl.protocol === 'https:') {
    const connect = async (...[options, callback]: Parameters<typeof direct>): Promise<void> => {
      try {
        const httpSocket = await openTunnel(proxy, baseUrl, { timeoutMs });
        direct({ ...options, httpSocket }, callback);
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null);
      }
    };
    return (options, callback) => void connect(options, callback);
  }
  const toProxy = buildConnector({ timeout: timeoutMs });
  const { protocol, host, port } = proxy;
  return (_options, callback) => toProxy({ hostname: bareHost(proxy), host, protocol, port }, callback);
}

/**
 * Prepares connections with undici; each connects when a request is dispatched. `onUnannouncedEnd` is called when the
 * service closes an idle connection without announcement.
 *
 * @throws ClocheError OPTION_INVALID for certificates that `toTlsOptions` rejects
 */
export function prepareUrlConnections(
  target: ConnectTarget,
  onUnannouncedEnd: () => void,
): () => UrlConnection {
  const { baseUrl, responseLimit = usualResponseLimit } = target;
  const connect = prepareConnector(target);
  return () => {
    const client = new Client(baseUrl.origin, {
      // The sender enforces the time-out: those of undici apply to parts of a response, and are coarse.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: mostIdleMs,
      keepAliveMaxTimeout: mostIdleMs,
      keepAliveTimeoutThreshold: earlierMs,
      maxHeaderSize: mostHeaderBytes,
      connect: (options, callback) => {
        connect(options, (...[error, socket]) => {
          if (error !== null) {
            callback(error, null);
            return;
          }
          connection.uses = 0;
          connection.isAnswered = false;
          connection.failure = undefined;
          socket.once('error', (failure: unknown) => {
            connection.failure = failure;
          });
          noteReceived(socket, connection, responseLimit + 2 * mostHeaderBytes);
          callback(null, socket);
        });
      },
    });
    const connection: UrlConnection = {
      client,
      received: [],
      uses: 0,
      isAnswered: false,
      failure: undefined,
    };
    client.on('disconnect', (_origin, _targets, error) => {
      // If undici ends a connection, as the response requests or after idling, the code is different.
      const byService = errorCode(error) === 'UND_ERR_SOCKET' || errorCode(error) === 'ECONNRESET';
      if (byService && connection.isAnswered) {
        onUnannouncedEnd();
      }
    });
    return connection;
  };
}
