import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { acceptConnections, type ListeningPlace } from '../../http/accept-connections.ts';
import { pathPrefix } from '../../http/path-prefix.ts';
import { toTlsTrust } from '../../http/tls-trust.ts';
import type { Traffic } from '../traffic.ts';
import { answerNoRequest } from './answer-no-request.ts';
import { ClientConnection } from './client-connection.ts';
import { createWatch } from './create-watch.ts';
import { forward } from './forward.ts';
import { partHopFields } from './part-hop-fields.ts';
import { readAgain } from './read-again.ts';
import { readParseError } from './read-parse-error.ts';
import { readRequestLine } from './read-request-line.ts';
import { toOriginForm } from './to-origin-form.ts';
import { toUpstreamFields } from './to-upstream-fields.ts';
import type { Upstream } from './upstream.ts';

/** What a proxy is made from. */
export interface ProxyOptions {
  /** Where the service lives: http: or https:, a path prefix included. */
  readonly baseUrl: URL;
  /** 0 for any that is free. */
  readonly port: number;
  readonly host: string;
  /** Whether any certificate of the service is taken. */
  readonly insecure: boolean;
  /** Certificates in PEM form that are trusted in place of the well-known ones. */
  readonly ca: string | undefined;
  /** The most bytes of content that are kept of each side of an exchange to be judged. */
  readonly judgeLimit: number;
  /** Whether each answer names its exchange, in a field `Cloche-Exchange`. */
  readonly mark: boolean;
  /**
   * What is under way when the proxy is closed has so long to end, in milliseconds.
   *
   * @defaultValue 5000
   */
  readonly closeMs?: number;
  /** Takes each exchange when it has ended; it must not take long. */
  readonly take: (traffic: Traffic) => void;
}

/** A proxy that listens. */
export interface Proxy extends ListeningPlace {
  /** Takes no more requests, waits a while for what is under way, and closes all connections. */
  close(): Promise<void>;
}

/** Of the header section of a request; Node's own limit is 16 KiB. */
const mostHeaderBytes = 256 * 1024;

function toTarget(request: IncomingMessage): string {
  return toOriginForm(request.url ?? '');
}

/**
 * Opens a proxy in front of a service. What passes is not changed, as far as two connections can be one: the
 * fields of a connection are those of its own, Host is that of the service, and a target in absolute form becomes
 * one in origin form. Nothing is sent twice, nothing is timed out, and nothing is answered in the service's place
 * but 502 where it cannot be reached and 400 to what is no HTTP.
 *
 * @throws ClocheError PORT_UNAVAILABLE where it cannot listen there, OPTION_INVALID where `ca` holds no certificate
 */
export async function openProxy(options: ProxyOptions): Promise<Proxy> {
  const { baseUrl, port, host, insecure, ca, judgeLimit, mark, closeMs = 5_000, take } = options;
  const upstream: Upstream = {
    baseUrl,
    trust: toTlsTrust({ insecure, ...(ca === undefined ? {} : { ca }) }),
  };
  const prefix = pathPrefix(baseUrl);
  const watch = createWatch({ limit: judgeLimit, take });
  const connections = new Map<Socket, ClientConnection>();
  const tunnels = new Set<Socket>();
  /** Those of which the last that came is no HTTP. */
  const malformed = new WeakSet<Socket>();
  let isClosing = false;

  const server = createServer({
    maxHeaderSize: mostHeaderBytes,
    // What a request lacks is for the service to say, and how long one may take too.
    requireHostHeader: false,
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 0,
    noDelay: true,
  });
  // Node drops what comes past a thousand fields without a word. Their bytes together are bounded, with 431.
  server.maxHeadersCount = 0;

  function whyLeft({ complete, socket }: IncomingMessage): string {
    if (!complete && malformed.has(socket)) {
      return 'the content of its request is no HTTP';
    }
    return isClosing ? 'the proxy was stopped before its end' : 'its client went away before its end';
  }

  function pass(request: IncomingMessage, response: ServerResponse, tunnel?: Socket): void {
    const connection = connections.get(request.socket);
    if (connection === undefined) {
      request.socket.destroy();
      return;
    }
    const target = toTarget(request);
    const { method = '', headers, rawHeaders } = request;
    const parted = partHopFields(rawHeaders);
    response.shouldKeepAlive &&= !isClosing;
    const fields = toUpstreamFields(parted, {
      host: baseUrl.host,
      isLast: !response.shouldKeepAlive,
      isUpgrade: tunnel !== undefined,
      isOld: request.httpVersion !== '1.1',
    });
    const exchange = watch.begin({
      method,
      target,
      fields: parted.kept,
      framing: headers['transfer-encoding'] === undefined ? 'content-length' : 'chunked',
    });
    forward({
      upstream,
      connection,
      request,
      response,
      exchange,
      path: target.startsWith('/') ? prefix + target : target,
      fields,
      tunnel,
      mark: mark ? ['Cloche-Exchange', String(exchange.number)] : [],
      whyLeft: () => whyLeft(request),
    });
    response.once('close', () => {
      if (isClosing) {
        closeIdle();
      }
    });
  }

  /** Closes the connections that carry nothing. */
  function closeIdle(): void {
    for (const [socket, { isUnderWay }] of connections) {
      if (!isUnderWay && !tunnels.has(socket)) {
        socket.destroySoon();
      }
    }
  }

  function onTunnel(request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (readAgain({ request, socket, head, server })) {
      return;
    }
    // Node has let go of the connection, its errors and its pauses.
    socket.on('error', () => socket.destroy());
    tunnels.add(socket);
    socket.once('close', () => tunnels.delete(socket));
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    socket.on('drain', () => response.emit('drain'));
    response.once('finish', () => socket.end());
    if (head.length > 0) {
      socket.unshift(head);
    }
    pass(request, response, socket);
  }

  server.on('request', pass);
  server.on('checkContinue', pass);
  server.on('checkExpectation', pass);
  server.on('upgrade', onTunnel);
  server.on('connect', onTunnel);
  server.on('clientError', (error, socket: Socket) => {
    const connection = connections.get(socket);
    const unparsed = readParseError(error);
    if (unparsed !== undefined && !malformed.has(socket)) {
      malformed.add(socket);
      if (connection?.isInContent !== true) {
        watch.turnAway(readRequestLine(unparsed), 'it is no HTTP request, and was not forwarded');
      }
    }
    answerNoRequest(error, { socket, isSilent: connection?.isSilent ?? true });
  });
  server.on('connection', (socket: Socket) => {
    if (!connections.has(socket)) {
      connections.set(socket, new ClientConnection(socket, upstream));
      socket.once('close', () => connections.delete(socket));
    }
  });
  const place = await acceptConnections(server, { port, host });

  function close(): Promise<void> {
    isClosing = true;
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => {
        server.closeAllConnections();
        tunnels.forEach((socket) => socket.destroy());
      }, closeMs);
      server.close(() => {
        clearTimeout(giveUp);
        // A connection that was cut tells its exchange only when it has closed, which is later.
        const open = [...connections.keys()].map(
          (socket) => new Promise((onClose) => socket.once('close', onClose)),
        );
        void Promise.all(open).then(() => resolve());
      });
      closeIdle();
    });
  }
  let closed: Promise<void> | undefined;
  return {
    ...place,
    close() {
      closed ??= close();
      return closed;
    },
  };
}
