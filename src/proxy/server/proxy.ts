import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toTlsOptions } from '../../http/connect.ts';
import { errorCode } from '../../http/failures.ts';
import { acceptConnections, type ListeningPlace } from '../../http/listen.ts';
import { type HttpRequest, toHeaderList } from '../../http/message.ts';
import { pathPrefix, toOriginForm } from '../../http/path.ts';
import type { Traffic } from '../traffic.ts';
import {
  type AwaitedTunnel,
  awaitTunnel,
  ClientConnection,
  type ParseError,
  readParseError,
  type Upstream,
} from './connection.ts';
import { forward } from './forward.ts';
import { createGuard } from './guard.ts';
import {
  hasPassed,
  mostHeaderBytes,
  partHopFields,
  refuse,
  renderFields,
  toUpstreamFields,
  writeHead,
} from './message.ts';
import { Watch } from './record.ts';

/** Options of a proxy. */
export interface ProxyOptions {
  /** The URL of the service: http: or https:, including a path prefix. */
  readonly baseUrl: URL;
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** Whether any certificate of the service is accepted. */
  readonly insecure: boolean;
  /** Certificates in PEM form to trust instead of the well-known ones. */
  readonly ca: string | undefined;
  /** The certificate that the proxy presents to the service, PEM; it needs `clientKey`. @defaultValue none */
  readonly clientCert?: string | undefined;
  /** The private key of `clientCert`, PEM. */
  readonly clientKey?: string | undefined;
  /** The outgoing proxy, an http: or https: URL, with its credentials. @defaultValue none */
  readonly proxy?: URL | undefined;
  /** Maximum number of bytes of content to keep of each side of an exchange for the judge. */
  readonly judgeLimit: number;
  /** Whether each response names its exchange, in a field `Cloche-Exchange`. */
  readonly mark: boolean;
  /** Time limit of exchanges in flight after the proxy is closed, in milliseconds. @defaultValue 5000 */
  readonly closeMs?: number;
  /** Receives each exchange when it has ended; it must return quickly. */
  readonly take: (traffic: Traffic) => void;
}

interface Proxy extends ListeningPlace {
  /** Accepts no more requests, waits a while for exchanges in flight, and closes all connections. */
  close(): Promise<void>;
}

/**
 * Opens a proxy in front of a service. It changes only what two connections require: each connection has separate
 * connection fields, Host is that of the service, and a target in absolute form becomes one in origin form. It sends
 * nothing twice and has no timeouts. It responds instead of the service only with 502 if the service is unreachable,
 * with 508 if the service is the proxy itself (RFC 5842 §7.2), and with 400 if a request is not HTTP.
 *
 * @throws ClocheError PORT_UNAVAILABLE if it cannot listen there, OPTION_INVALID for certificates that `toTlsOptions` rejects
 */
export async function openProxy(options: ProxyOptions): Promise<Proxy> {
  const { baseUrl, port, host, insecure, ca, clientCert, clientKey, proxy } = options;
  const { judgeLimit, mark, closeMs = 5_000, take } = options;
  const upstream: Upstream = {
    baseUrl,
    proxy,
    tls: toTlsOptions({ insecure, ...(ca === undefined ? {} : { ca }), clientCert, clientKey }),
  };
  const prefix = pathPrefix(baseUrl);
  const watch = new Watch(judgeLimit, take);
  const pseudonym = `cloche-${randomUUID()}`;
  const connections = new Map<Socket, ClientConnection>();
  const tunnels = new Set<Socket>();
  /** The connections whose latest bytes are not HTTP. */
  const malformed = new WeakSet<Socket>();
  let isClosing = false;
  /** Whether the base URL has led back here: a response from it then comes from no service. */
  let isLoop = false;

  const server = createServer({
    maxHeaderSize: mostHeaderBytes,
    // The service decides what a request lacks, and how long it may take.
    requireHostHeader: false,
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 0,
    noDelay: true,
  });
  // Node drops fields after the first thousand without an error. Their total size is limited, with 431.
  server.maxHeadersCount = 0;

  function pass(request: IncomingMessage, response: ServerResponse, tunnel?: AwaitedTunnel): void {
    const { method = '', url = '', socket, headers, rawHeaders, httpVersion } = request;
    const connection = connections.get(socket);
    if (connection === undefined) {
      socket.destroy();
      return;
    }
    connection.begin(response);
    const target = toOriginForm(url);
    if (hasPassed(rawHeaders, pseudonym)) {
      isLoop = true;
      watch.reject({ method, target }, 'it had passed this proxy before, and was not forwarded');
      refuse(response, { reason: `${baseUrl.href} leads back to this proxy`, mark: [], status: 508 });
      request.resume();
      return;
    }
    const isChunked = headers['transfer-encoding'] !== undefined;
    const parted = partHopFields(rawHeaders, { isChunked });
    response.shouldKeepAlive &&= !isClosing;
    const exchange = watch.begin({
      method,
      target,
      fields: parted.kept,
      framing: isChunked ? 'chunked' : 'content-length',
    });
    forward({
      upstream,
      connection,
      request,
      response,
      exchange,
      path: target.startsWith('/') ? prefix + target : target,
      fields: toUpstreamFields(parted, {
        host: baseUrl.host,
        isLast: !response.shouldKeepAlive,
        isUpgrade: tunnel !== undefined,
        isOld: httpVersion !== '1.1',
        pseudonym,
      }),
      tunnel,
      isOfService: () => !isLoop,
      mark: mark ? ['Cloche-Exchange', String(exchange.number)] : [],
      whyLeft() {
        if (isLoop) return 'the base URL leads back to this proxy';
        if (!request.complete && malformed.has(socket)) return 'the content of its request is no HTTP';
        return isClosing ? 'the proxy was stopped before its end' : 'its client went away before its end';
      },
    });
    response.once('close', () => {
      if (isClosing) {
        closeIdle();
      }
    });
  }

  /** Forwards a request for a tunnel, unless the response to an earlier one has ended the connection. */
  function passTunnel(request: IncomingMessage, tunnel: AwaitedTunnel): void {
    const { socket } = tunnel;
    if (!socket.writable) return;
    if (cannotBeTunnel(request)) {
      tunnel.release();
      socket.unshift(withoutUpgrade(request));
      server.emit('connection', socket);
      socket.resume();
      return;
    }
    tunnels.add(socket);
    socket.once('close', () => tunnels.delete(socket));
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.end());
    pass(request, response, tunnel);
  }

  /** Handles a tunnel request, which Node raises while earlier responses are still due (RFC 9112 §9.3.2). */
  function onTunnel(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const tunnel = awaitTunnel(socket, head);
    connections.get(socket)?.whenQuiet(() => passTunnel(request, tunnel));
  }

  /**
   * Responds to bytes that Node cannot read as a request (RFC 9112 §2.2), after the earlier responses, and closes the
   * connection. If it broke, or its request broke off during the response, it is closed without a response.
   */
  function onNoRequest(error: Error, socket: Socket): void {
    const connection = connections.get(socket);
    const unparsed = readParseError(error);
    if (unparsed !== undefined && !malformed.has(socket)) {
      malformed.add(socket);
      if (connection?.isInContent !== true) {
        watch.reject(readRequestLine(unparsed), 'it is no HTTP request, and was not forwarded');
      }
    }
    const isBroken = errorCode(error) === 'ECONNRESET' || !socket.writable;
    const isBehindOthers = connection?.isUnderWay === true && !connection.isInContent;
    if (isBroken || (connection?.isIdle === false && !isBehindOthers)) {
      socket.destroy();
    } else if (isBehindOthers) {
      connection.whenQuiet(() => reject(error, socket));
    } else {
      reject(error, socket);
    }
  }

  function reject(error: Error, socket: Socket): void {
    if (!socket.writable) return;
    const [status, reason] = findRefusal(error);
    const text = `cloche proxy cannot read this as a request: ${error.message}.\n`;
    writeHead(socket, {
      status,
      reason,
      fields: ['Content-Type', 'text/plain', 'Content-Length', String(text.length), 'Connection', 'close'],
    });
    socket.end(text, () => socket.destroy());
  }

  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) =>
      createGuard(request.socket)(pass)(request, response),
    );
  }
  for (const event of ['upgrade', 'connect'] as const) {
    server.on(event, (request: IncomingMessage, socket: Socket, head: Buffer) =>
      createGuard(socket)(onTunnel)(request, socket, head),
    );
  }
  server.on('clientError', (error, socket: Socket) => createGuard(socket)(onNoRequest)(error, socket));
  server.on('connection', (socket: Socket) => {
    if (!connections.has(socket)) {
      connections.set(socket, new ClientConnection(socket, upstream));
      socket.once('close', () => connections.delete(socket));
    }
  });
  const place = await acceptConnections(server, { port, host });

  /** Closes the connections without exchanges in flight. */
  function closeIdle(): void {
    for (const [socket, { isUnderWay }] of connections) {
      if (!isUnderWay && !tunnels.has(socket)) {
        socket.destroySoon();
      }
    }
  }

  async function close(): Promise<void> {
    isClosing = true;
    const giveUp = setTimeout(() => {
      [...connections.keys()].forEach((socket) => socket.destroy());
    }, closeMs);
    const closing = new Promise((resolve) => server.close(resolve));
    closeIdle();
    await closing;
    clearTimeout(giveUp);
    // A connection that was cut notifies its exchange only when it has closed, which is later.
    const open = [...connections.keys()].map((socket) => new Promise((done) => socket.once('close', done)));
    await Promise.all(open);
  }
  let closed: Promise<void> | undefined;
  return { ...place, close: () => (closed ??= close()) };
}

/**
 * Returns whether no tunnel can serve a request that asks for an upgrade: it has content, which Node does not read for
 * an upgrade, or it asks for HTTP/2, whose exchanges cannot be judged. A server may ignore an Upgrade (RFC 9110 §7.8).
 */
function cannotBeTunnel({ method, headers }: IncomingMessage): boolean {
  if (method === 'CONNECT') return false;
  const hasContent = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
  return hasContent || /^h2c?$/iu.test(headers.upgrade?.trim() ?? '');
}

function withoutUpgrade({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const fields = toHeaderList(rawHeaders).filter(([name]) => name.toLowerCase() !== 'upgrade');
  return Buffer.from(`${method} ${url} HTTP/${httpVersion}\r\n${renderFields(fields)}\r\n`, 'latin1');
}

/** Matches a request line (RFC 9112 §3). */
const requestLine = /^([!#$%&'*+.^`|~\w-]+) (\S+) HTTP\/\d\.\d\r?$/u;

/** Returns the status of a rejection. Node rejects unregistered methods, which are HTTP (RFC 9110 §15.6.2). */
function findRefusal(error: Error): readonly [status: number, reason: string] {
  if (errorCode(error) === 'HPE_HEADER_OVERFLOW') return [431, 'Request Header Fields Too Large'];
  const { packet } = readParseError(error) ?? { packet: [] };
  const isMethod =
    errorCode(error) === 'HPE_INVALID_METHOD' &&
    /(?:^|\n)[!#$%&'*+.^`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/u.test(Buffer.from(packet).toString('latin1'));
  return isMethod ? [501, 'Not Implemented'] : [400, 'Bad Request'];
}

/** Reads the request line of invalid HTTP; returns empty texts if it is incomplete, or was in an earlier chunk. */
function readRequestLine({ packet, remaining }: ParseError): Pick<HttpRequest, 'method' | 'target'> {
  const read = Buffer.from(packet.subarray(0, packet.length - remaining.length)).toString('latin1');
  // The text before an empty line belongs to the previous request.
  const [line = ''] = (read.split(/\n\r?\n/u).at(-1) ?? '').split('\n', 1);
  const [, method = '', target = ''] = requestLine.exec(line) ?? [];
  return { method, target: method === '' ? '' : toOriginForm(target) };
}
