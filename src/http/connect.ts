import { X509Certificate } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { ClocheError } from '../errors/cloche-error.ts';
import { errorCode } from './failures.ts';
import { type Answer, type SendTarget, usualResponseLimit } from './message.ts';

/** Which certificates a TLS connection accepts, in the names of node:tls. */
export interface TlsTrust {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
}

/**
 * Which certificates the connections to a target accept.
 *
 * @throws ClocheError OPTION_INVALID where `ca` holds no certificate, which node:tls would pass over
 */
export function toTlsTrust({ insecure = false, ca }: Pick<SendTarget, 'insecure' | 'ca'>): TlsTrust {
  if (ca === undefined) return { rejectUnauthorized: !insecure };
  try {
    void new X509Certificate(ca);
  } catch (error) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the certificate of',
      subject: '--ca',
      reason: 'the file holds no certificate in PEM form',
      remedy: 'Name a file that has a line -----BEGIN CERTIFICATE-----',
      cause: error,
    });
  }
  return { rejectUnauthorized: !insecure, ca };
}

/**
 * Opens a TCP connection to a base URL, or a TLS one for https:, which speaks HTTP/1.1 and sends each write
 * at once. It emits `connect`, or `secureConnect` for https:, when it is ready.
 */
export function openConnection(baseUrl: URL, trust: TlsTrust): Socket {
  const host = baseUrl.hostname.replace(/^\[(.*)\]$/u, '$1');
  if (baseUrl.protocol !== 'https:') {
    return connectTcp({ host, port: Number(baseUrl.port || 80), noDelay: true });
  }
  const isAddress = /^[\d.]+$|:/u.test(host);
  const socket = connectTls({
    host,
    port: Number(baseUrl.port || 443),
    ALPNProtocols: ['http/1.1'],
    ...trust,
    // RFC 6066 §3: an address is no server name.
    ...(isAddress ? {} : { servername: host }),
  });
  return socket.setNoDelay(true);
}

/** Long enough for the one packet to leave before the next is written. */
const betweenPacketsMs = 5;

/** Gives pieces of a request one after another, so that each leaves in a packet of its own. */
export async function* withPauses(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) {
      await pause(betweenPacketsMs);
    }
    yield piece;
  }
}

/** Ends the reason of a drop that may be no fault of the service. */
const note = 'on a connection that had been used before';

/** Marks the reason of a drop as one that {@link isStaleConnectionDrop} knows. */
export function noteStaleConnection(reason: string): string {
  return `${reason}, ${note}`;
}

/**
 * Whether a connection was dropped in a way that says nothing yet about the request: it had carried
 * answers before, and nothing of this one came. A service may close an idle connection at any time, and the
 * request may have met it half-way (RFC 9112 §9.3.1, §9.5). Whether the request was acted on cannot be known.
 */
export function isStaleConnectionDrop(answer: Answer): boolean {
  return answer.kind === 'dropped' && answer.received.length === 0 && answer.reason.endsWith(note);
}

/** The service may close an idle connection at any time, and a request that meets that is lost. */
const mostIdleMs = 1000;

/** How much earlier than the service announces (`Keep-Alive: timeout=5`) a connection is given up. */
const earlierMs = 500;

/** Of the header section of an answer; undici's own limit is 16 KiB. */
export const mostHeaderBytes: number = 256 * 1024;

/** One client of undici, which has one connection at most, and what travelled on it. */
export interface UrlConnection {
  readonly client: Client;
  /** The bytes that came since the last request left, as they came. */
  received: Uint8Array[];
  /** How many requests have left on the connection that is open. */
  uses: number;
  /** Whether the answer to the last of them has come whole. */
  isAnswered: boolean;
  /** The error that ended the socket, which undici does not pass on. */
  failure: unknown;
}

/** Interim `100 Continue` answers undici takes for a fault, and a client has to bear them (RFC 9110 §15.2). */
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
 * Nothing else tells how much of an answer had come when it broke off. No more than `most` bytes are kept:
 * interim answers may come without end, and are no content.
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
 * Prepares connections over undici; each connects when a request is dispatched. `onUnannouncedEnd` hears when
 * the service ends an idle connection that it had not said it would end.
 *
 * @throws ClocheError OPTION_INVALID where `ca` holds no certificate
 */
export function prepareUrlConnections(target: SendTarget, onUnannouncedEnd: () => void): () => UrlConnection {
  const { baseUrl, timeoutMs, responseLimit = usualResponseLimit } = target;
  const connect = buildConnector({ ...toTlsTrust(target), timeout: timeoutMs });
  return () => {
    const client = new Client(baseUrl.origin, {
      // The time-out of a request is kept by who sends it: undici's are for parts of an answer, and coarse.
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
      // Where undici ends a connection, as an answer has it or after idling, the code is another.
      const byService = errorCode(error) === 'UND_ERR_SOCKET' || errorCode(error) === 'ECONNRESET';
      if (byService && connection.isAnswered) {
        onUnannouncedEnd();
      }
    });
    return connection;
  };
}
