import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { mostHeaderBytes, toTlsOptions } from '../../http/connect.ts';
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
import { hasPassed, partHopFields, refuse, renderFields, toUpstreamFields, writeHead } from './message.ts';
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
  const server = new ProxyServer(options);
  const place = await server.listen();
  let closed: Promise<void> | undefined;
  return { ...place, close: () => (closed ??= server.close()) };
}

class ProxyServer {
  readonly #options: ProxyOptions;
  readonly #upstream: Upstream;
  readonly #prefix: string;
  readonly #watch: Watch;
  readonly #pseudonym = `cloche-${randomUUID()}`;
  readonly #connections = new Map<Socket, ClientConnection>();
  readonly #tunnels = new Set<Socket>();
  /** The connections whose latest bytes are not HTTP. */
  readonly #malformed = new WeakSet<Socket>();
  readonly #server = createServer({
    maxHeaderSize: mostHeaderBytes,
    // The service decides what a request lacks, and how long it may take.
    requireHostHeader: false,
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 0,
    noDelay: true,
  });
  #isClosing = false;
  /** Whether the base URL has led back here: a response from it then comes from no service. */
  #isLoop = false;

  constructor(options: ProxyOptions) {
    const { baseUrl, proxy, judgeLimit, take, ca, ...tls } = options;
    this.#options = options;
    this.#upstream = { baseUrl, proxy, tls: toTlsOptions({ ...tls, ...(ca === undefined ? {} : { ca }) }) };
    this.#prefix = pathPrefix(baseUrl);
    this.#watch = new Watch(judgeLimit, take);
    // Node drops fields after the first thousand without an error. Their total size is limited, with 431.
    this.#server.maxHeadersCount = 0;
  }

  /** Starts listening. @throws ClocheError PORT_UNAVAILABLE if it cannot listen there */
  listen(): Promise<ListeningPlace> {
    const server = this.#server;
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
      server.on(event, (request: IncomingMessage, response: ServerResponse) =>
        createGuard(request.socket)(() => this.#pass(request, response))(),
      );
    }
    for (const event of ['upgrade', 'connect'] as const) {
      server.on(event, (request: IncomingMessage, socket: Socket, head: Buffer) =>
        createGuard(socket)(() => this.#onTunnel(request, socket, head))(),
      );
    }
    server.on('clientError', (error, socket: Socket) =>
      createGuard(socket)(() => this.#onNoRequest(error, socket))(),
    );
    server.on('connection', (socket: Socket) => {
      if (!this.#connections.has(socket)) {
        this.#connections.set(socket, new ClientConnection(socket, this.#upstream));
        socket.once('close', () => this.#connections.delete(socket));
      }
    });
    return acceptConnections(server, this.#options);
  }

  #pass(request: IncomingMessage, response: ServerResponse, tunnel?: AwaitedTunnel): void {
    const { method = '', url = '', socket, headers, rawHeaders, httpVersion } = request;
    const { baseUrl, mark } = this.#options;
    const connection = this.#connections.get(socket);
    if (connection === undefined) {
      socket.destroy();
      return;
    }
    connection.begin(response);
    const target = toOriginForm(url);
    if (hasPassed(rawHeaders, this.#pseudonym)) {
      this.#isLoop = true;
      this.#watch.reject({ method, target }, 'it had passed this proxy before, and was not forwarded');
      refuse(response, { reason: `${baseUrl.href} leads back to this proxy`, mark: [], status: 508 });
      request.resume();
      return;
    }
    const isChunked = headers['transfer-encoding'] !== undefined;
    const parted = partHopFields(rawHeaders, { isChunked });
    response.shouldKeepAlive &&= !this.#isClosing;
    const exchange = this.#watch.begin({
      method,
      target,
      fields: parted.kept,
      framing: isChunked ? 'chunked' : 'content-length',
    });
    forward({
      upstream: this.#upstream,
      connection,
      request,
      response,
      exchange,
      path: target.startsWith('/') ? this.#prefix + target : target,
      fields: toUpstreamFields(parted, {
        host: baseUrl.host,
        isLast: !response.shouldKeepAlive,
        isUpgrade: tunnel !== undefined,
        isOld: httpVersion !== '1.1',
        pseudonym: this.#pseudonym,
      }),
      tunnel,
      isOfService: () => !this.#isLoop,
      mark: mark ? ['Cloche-Exchange', String(exchange.number)] : [],
      whyLeft: () => {
        if (this.#isLoop) return 'the base URL leads back to this proxy';
        if (!request.complete && this.#malformed.has(socket)) return 'the content of its request is no HTTP';
        return this.#isClosing
          ? 'the proxy was stopped before its end'
          : 'its client went away before its end';
      },
    });
    response.once('close', () => {
      if (this.#isClosing) {
        this.#closeIdle();
      }
    });
  }

  /** Forwards a request for a tunnel, unless the response to an earlier one has ended the connection. */
  #passTunnel(request: IncomingMessage, tunnel: AwaitedTunnel): void {
    const { socket } = tunnel;
    if (!socket.writable) return;
    if (cannotBeTunnel(request)) {
      tunnel.release();
      socket.unshift(withoutUpgrade(request));
      this.#server.emit('connection', socket);
      socket.resume();
      return;
    }
    this.#tunnels.add(socket);
    socket.once('close', () => this.#tunnels.delete(socket));
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.end());
    this.#pass(request, response, tunnel);
  }

  /** Handles a tunnel request, which Node raises while earlier responses are still due (RFC 9112 §9.3.2). */
  #onTunnel(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const tunnel = awaitTunnel(socket, head);
    this.#connections.get(socket)?.whenQuiet(() => this.#passTunnel(request, tunnel));
  }

  /**
   * Responds to bytes that Node cannot read as a request (RFC 9112 §2.2), after the earlier responses, and closes the
   * connection. If it broke, or its request broke off during the response, it is closed without a response.
   */
  #onNoRequest(error: Error, socket: Socket): void {
    const connection = this.#connections.get(socket);
    const unparsed = readParseError(error);
    if (unparsed !== undefined && !this.#malformed.has(socket)) {
      this.#malformed.add(socket);
      if (connection?.isInContent !== true) {
        this.#watch.reject(readRequestLine(unparsed), 'it is no HTTP request, and was not forwarded');
      }
    }
    const isBroken = errorCode(error) === 'ECONNRESET' || !socket.writable;
    const isBehindOthers = connection?.isUnderWay === true && !connection.isInContent;
    if (isBroken || (connection?.isIdle === false && !isBehindOthers)) {
      socket.destroy();
    } else if (isBehindOthers) {
      connection.whenQuiet(() => this.#reject(error, socket));
    } else {
      this.#reject(error, socket);
    }
  }

  #reject(error: Error, socket: Socket): void {
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

  /** Closes the this.#connections without exchanges in flight. */
  #closeIdle(): void {
    for (const [socket, { isUnderWay }] of this.#connections) {
      if (!isUnderWay && !this.#tunnels.has(socket)) {
        socket.destroySoon();
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const giveUp = setTimeout(() => {
      [...this.#connections.keys()].forEach((socket) => socket.destroy());
    }, this.#options.closeMs ?? 5_000);
    const closing = new Promise((resolve) => this.#server.close(resolve));
    this.#closeIdle();
    await closing;
    clearTimeout(giveUp);
    // A connection that was cut notifies its exchange only when it has closed, which is later.
    const open = [...this.#connections.keys()].map(
      (socket) => new Promise((done) => socket.once('close', done)),
    );
    await Promise.all(open);
  }
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
