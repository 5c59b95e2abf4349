import {
  type ClientRequest,
  type IncomingMessage,
  type InformationEvent,
  type OutgoingMessage,
  request as requestHttp,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { request as requestTls } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { mostHeaderBytes } from '../../http/connect.ts';
import { describeConnectionFailure, ProxyFailure } from '../../http/failures.ts';
import { bareHost, rejectedByProxy, routeThrough } from '../../http/outgoing-proxy.ts';
import { toHeaderList } from '../../http/message.ts';
import { type AwaitedTunnel, type ClientConnection, readParseError, type Upstream } from './connection.ts';
import { createGuard, type Guard } from './guard.ts';
import { checkStatusLine, partHopFields, refuse, writeHead } from './message.ts';
import type { WatchedExchange } from './record.ts';

interface Forwarding {
  readonly upstream: Upstream;
  readonly connection: ClientConnection;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly exchange: WatchedExchange;
  /** Includes the path prefix of the base URL. */
  readonly path: string;
  /** Alternating names and values, in the form that is sent. */
  readonly fields: readonly string[];
  /** The connection of the client, if the request asks for it to become a tunnel. */
  readonly tunnel: AwaitedTunnel | undefined;
  /** Name and value of the response field that names the exchange; empty if there is none. */
  readonly mark: readonly string[];
  /** Whether a service responds, and not the proxy again. */
  readonly isOfService: () => boolean;
  /** Returns why an exchange is not judged if the client has gone, or no service answered. */
  readonly whyLeft: () => string;
}

/** Methods for which Node adds no framing field. */
const withoutContent = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** RFC 9110 §7.8, §15.2.2. */
const unaskedSwitch =
  'it switches protocols (101), which takes an Upgrade field in the request and in the response';

/**
 * Forwards a request to the service, and its response to the client, while they arrive.
 *
 * It uses node:http and not undici, because node:http exposes interim responses, trailer fields and the connection of
 * an upgrade, and keeps the order and spelling of fields.
 */
export function forward(forwarding: Forwarding): void {
  const upstreamRequest = openUpstreamRequest(forwarding);
  if (upstreamRequest === undefined) return;
  // An error of the client's connection ends it, which `close` reports.
  forwarding.request.on('error', () => undefined);
  forwarding.response.on('error', () => undefined);
  passOn(forwarding, upstreamRequest);
}

function passOn(forwarding: Forwarding, upstreamRequest: ClientRequest): void {
  const { connection, request, response, exchange, mark } = forwarding;
  let answering: IncomingMessage | undefined;
  let hasContinued = false;
  let isAnswered = false;
  let isOver = false;
  const guard = createGuard(request.socket, ({ message }) => reject(message));

  /** Sends 502 instead of a response that cannot be passed on. */
  function reject(reason: string): void {
    isOver = true;
    upstreamRequest.destroy();
    dropContent(forwarding, upstreamRequest);
    refuse(response, { reason: `the answer of the service cannot be passed on (${reason})`, mark });
    exchange.end({ kind: 'not-http', reason, packet: new Uint8Array(), remaining: new Uint8Array() });
  }

  function fail(error: Error): void {
    if (isOver) return;
    if (answering?.complete === true) {
      // The whole response has come, and other bytes are no part of it: it passes like any other.
      exchange.takeTrailing(readParseError(error)?.remaining);
      return;
    }
    isOver = true;
    // The part of a response that came before the failure, and waits to be read, is recorded while it is read.
    while (answering?.read() instanceof Uint8Array) continue;
    settleFailure(forwarding, error, connection.wayOf(upstreamRequest));
    upstreamRequest.destroy();
    dropContent(forwarding, upstreamRequest);
  }

  function finish(): void {
    isOver = true;
    isAnswered = true;
    if (request.readableEnded) {
      endAnswered(forwarding);
      return;
    }
    request.socket.once('close', () => {
      exchange.end({ kind: 'left', why: 'its request did not come to its end' });
    });
    passRest(forwarding, upstreamRequest);
  }

  /** Passes on a response while it arrives, at the speed of the client; throws for a head that no server may send. */
  function passAnswer(answer: IncomingMessage): void {
    const { proxy } = forwarding.upstream;
    if (answer.statusCode === 407 && proxy !== undefined && routeThrough(forwarding.upstream).origin !== '') {
      fail(rejectedByProxy(proxy, 407, 'a request'));
      return;
    }
    answering = answer;
    exchange.takeHead(answer);
    answer.on('error', guard(fail));
    if (answer.statusCode === 101) throw new Error(unaskedSwitch);
    writeAnswerHead(forwarding, answer, hasContinued);
    answer.on('data', (chunk: Buffer) => exchange.takeReceived(chunk));
    answer.pipe(response, { end: false });
    const end = guard(() => {
      addTrailers(response, answer.rawTrailers);
      response.end();
      finish();
    });
    answer.on('end', () => answer.complete && end());
    flushSoon(response, guard);
  }

  function openTunnel(answer: IncomingMessage, service: Duplex, early: Buffer): void {
    isOver = true;
    if (early.length > 0) service.unshift(early);
    passTunnel(forwarding, answer, service);
  }

  function onInformation(interim: InformationEvent): void {
    hasContinued ||= interim.statusCode === 100;
    passInterim(forwarding, interim);
    // Node resumes the connection after each message that it has parsed.
    process.nextTick(pauseService);
  }

  const pauseService = createPause(upstreamRequest, response);
  connection.forward(upstreamRequest);
  upstreamRequest.on('information', guard(onInformation));
  upstreamRequest.on('response', guard(passAnswer));
  upstreamRequest.on('error', guard(fail));
  upstreamRequest.on('upgrade', guard(openTunnel));
  upstreamRequest.on('connect', guard(openTunnel));

  const onRequestEnd = guard(() => isAnswered && endAnswered(forwarding));
  request.once('end', onRequestEnd);
  const onClientGone = guard(() => {
    isOver = true;
    upstreamRequest.destroy();
    exchange.end({ kind: 'left', why: forwarding.whyLeft() });
  });
  response.once('close', () => isOver || onClientGone());
  passContent(forwarding, upstreamRequest, guard);
}

/** Ends an exchange whose response has passed. */
function endAnswered({ exchange, isOfService, whyLeft }: Forwarding): void {
  exchange.end(isOfService() ? { kind: 'answered' } : { kind: 'left', why: whyLeft() });
}

/** Begins a request to the service. Refuses one that Node does not send, and returns undefined then. */
function openUpstreamRequest(forwarding: Forwarding): ClientRequest | undefined {
  try {
    return createUpstreamRequest(forwarding);
  } catch (error) {
    const { request, response, exchange, mark } = forwarding;
    exchange.end({ kind: 'left', why: 'it cannot be forwarded' });
    const reason = error instanceof Error ? error.message : '';
    refuse(response, { reason: `the request cannot be forwarded (${reason})`, mark });
    request.resume();
    return undefined;
  }
}

/** Passes bytes both ways after the service accepts an upgrade or answers CONNECT (RFC 9110 §7.8, §9.3.6). */
function passTunnel(
  { connection, response, exchange, tunnel, mark }: Forwarding,
  answer: IncomingMessage,
  service: Duplex,
): void {
  exchange.takeHead(answer);
  if (tunnel === undefined) throw new Error(unaskedSwitch);
  const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = answer;
  const { socket } = tunnel;
  writeHead(socket, { status, reason, fields: [...rawHeaders, ...mark] });
  connection.end(response);
  response.detachSocket(socket);
  exchange.end({ kind: 'left', why: 'its connection became a tunnel' });
  tunnel.release();
  tie(socket, service);
  tie(service, socket);
}

/**
 * Begins a request to the service with the given fields, in their order and spelling, including repeated ones. Node
 * adds only Connection.
 *
 * If a request that usually has content has none, and no length, Node would add a length to a list of fields. Its
 * fields are therefore set one by one, and those of one name are sent next to each other.
 *
 * @throws Error for fields that Node does not send
 */
function createUpstreamRequest({ upstream, connection, request, path, fields }: Forwarding): ClientRequest {
  const route = routeThrough(upstream);
  const { method = '' } = request;
  const open = route.hop.protocol === 'https:' ? requestTls : requestHttp;
  const options: RequestOptions = {
    // RFC 3986 §3.2.2: the brackets belong to the URL, not to the address.
    host: bareHost(route.hop),
    port: route.hop.port || (route.hop.protocol === 'https:' ? 443 : 80),
    method,
    // RFC 9112 §3.2.4: a proxy makes an asterisk of a URL without a path.
    path: route.origin + (path === '*' && route.origin !== '' ? '' : path),
    agent: connection.agent,
    setHost: false,
    maxHeaderSize: mostHeaderBytes,
  };
  const list = [...toHeaderList(fields), ...route.fields];
  const isFramed = list.some(([name]) => /^(?:content-length|transfer-encoding)$/iu.test(name));
  const isList = isFramed || withoutContent.has(method);
  const upstreamRequest = open(isList ? { ...options, headers: list.flat() } : options);
  // All fields of a response pass too.
  upstreamRequest.maxHeadersCount = 0;
  if (isList) return upstreamRequest;
  try {
    list.forEach(([name, value]) => upstreamRequest.appendHeader(name, value));
  } catch (error) {
    upstreamRequest.on('error', () => undefined).destroy();
    throw error;
  }
  upstreamRequest.removeHeader('Content-Length');
  upstreamRequest.removeHeader('Transfer-Encoding');
  return upstreamRequest;
}

/**
 * Writes the head of a response with all received fields; only the mark is added. The connection is kept if the service
 * keeps its connection (RFC 9112 §9.3), with the same fields: the two end together.
 */
function writeAnswerHead(forwarding: Forwarding, answer: IncomingMessage, hasContinued: boolean): void {
  const { request, response, mark } = forwarding;
  const { statusCode = 0, headers } = answer;
  checkStatusLine({ status: statusCode, reason: answer.statusMessage ?? '' });
  const isOld = request.httpVersion === '1.0';
  const isEmpty = statusCode === 204 || statusCode === 304;
  const isChunked = /\bchunked\b/iu.test(headers['transfer-encoding'] ?? '') && !isEmpty && !isOld;
  const { kept, options, removed } = partHopFields(answer.rawHeaders, { isChunked });
  const fields = isOld
    ? kept.filter((_, index) => kept[index - (index % 2)]?.toLowerCase() !== 'transfer-encoding')
    : [...kept];
  // RFC 9112 §6.3, rule 8. Node's client also ends it after a response to HEAD without a length.
  const isUntilClose =
    !isEmpty &&
    headers['content-length'] === undefined &&
    !/\bchunked\s*$/iu.test(headers['transfer-encoding'] ?? '');
  const isKept = !options.has('close') && (answer.httpVersion === '1.1' || options.has('keep-alive'));
  // Node knows the response to an expectation only if it wrote that itself. Otherwise it cannot keep the connection.
  const isUnexpected = !hasContinued && request.headers.expect?.toLowerCase() === '100-continue';
  response.sendDate = false;
  if (isUntilClose) {
    // Node would chunk it.
    response.removeHeader('Transfer-Encoding');
  }
  response.shouldKeepAlive &&= !isUntilClose && isKept && !isUnexpected;
  if (response.shouldKeepAlive && options.has('keep-alive')) {
    const hint = removed.get('keep-alive');
    fields.push('Connection', 'keep-alive', ...(hint === undefined ? [] : ['Keep-Alive', hint]));
  } else if (response.shouldKeepAlive && !isOld) {
    response.removeHeader('Connection');
  }
  response.writeHead(statusCode, answer.statusMessage, [...fields, ...mark]);
}

/** Adds the received trailer fields to a message that is sent in chunks (RFC 9110 §6.5). */
function addTrailers(message: OutgoingMessage, rawTrailers: readonly string[]): void {
  if (rawTrailers.length > 0) {
    message.addTrailers(toHeaderList(rawTrailers).map(([name, value]): [string, string] => [name, value]));
  }
}

/** Sends the head of a message with the content that came with it, without waiting for later content. */
function flushSoon(message: OutgoingMessage, guard: Guard): void {
  const flush = guard(() => message.flushHeaders());
  setImmediate(() => message.writableEnded || message.destroyed || flush());
}

/** Passes an interim response on (RFC 9110 §15.2); HTTP/1.0 has none. */
function passInterim({ request, response }: Forwarding, interim: InformationEvent): void {
  if (request.httpVersion === '1.0' || response.headersSent) return;
  const { statusCode: status, statusMessage: reason, rawHeaders } = interim;
  const { kept: fields } = partHopFields(rawHeaders, { isChunked: false });
  checkStatusLine({ status, reason });
  const { socket } = response;
  if (status === 100) {
    // Node closes a connection if it does not know the response to an expectation.
    response.writeContinue();
  } else if (socket === null) {
    // The responses to earlier requests of the connection come first.
    response.setMaxListeners(0).once('socket', (own: Socket) => writeHead(own, { status, reason, fields }));
  } else {
    writeHead(socket, { status, reason, fields });
  }
}

/** Creates a function that pauses the service until the client has read all interim responses, which may be many. */
function createPause(upstreamRequest: ClientRequest, response: ServerResponse): () => void {
  let isPaused = false;
  return () => {
    const { socket: service } = upstreamRequest;
    const { socket } = response;
    const wasAccepted = response.headersSent || socket?.writableNeedDrain === false;
    if (isPaused || wasAccepted || service === null) return;
    isPaused = true;
    service.pause();
    const resume = (): void => {
      isPaused = false;
      service.resume();
    };
    if (socket === null) {
      response.once('socket', resume);
    } else {
      socket.once('drain', resume);
    }
  };
}

/** Passes the content of a request on while it arrives, at the speed of the service. */
function passContent({ request, exchange }: Forwarding, upstreamRequest: ClientRequest, guard: Guard): void {
  const { headers } = request;
  request.on('data', (chunk: Buffer) => exchange.takeSent(chunk));
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    upstreamRequest.end();
    request.resume();
    return;
  }
  request.pipe(upstreamRequest, { end: false });
  const end = guard(() => {
    addTrailers(upstreamRequest, request.rawTrailers);
    upstreamRequest.end();
  });
  request.on('end', end);
  flushSoon(upstreamRequest, guard);
}

/**
 * Reads and drops the request content that the service no longer accepts: the client may not read a response before it
 * has sent everything.
 */
function dropContent({ request }: Forwarding, upstreamRequest: ClientRequest): void {
  request.unpipe(upstreamRequest);
  request.resume();
}

/** Passes on the rest of a request after its response, while the service accepts it. */
function passRest(forwarding: Forwarding, upstreamRequest: ClientRequest): void {
  const { socket } = upstreamRequest;
  const stop = (): void => dropContent(forwarding, upstreamRequest);
  if (socket === null || socket.readableEnded || socket.destroyed) {
    stop();
    return;
  }
  // After the end of a response Node's client no longer reports when its connection accepts more.
  const onDrain = (): void => void upstreamRequest.emit('drain');
  socket.on('drain', onDrain).once('end', stop).once('close', stop);
  upstreamRequest.once('finish', () => socket.off('drain', onDrain).off('end', stop).off('close', stop));
  socket.resume();
}

/** Ends the exchange of a request whose response did not come, or not completely. */
function settleFailure(
  forwarding: Forwarding,
  error: Error,
  { wasConnected, isReused }: ReturnType<ClientConnection['wayOf']>,
): void {
  const { request, response, exchange, upstream, mark } = forwarding;
  if (!wasConnected || error instanceof ProxyFailure) {
    const reason = describeConnectionFailure({ error, place: routeThrough(upstream).place });
    exchange.end({ kind: 'unreachable', reason });
    refuse(response, { reason, mark });
    return;
  }
  const unparsed = readParseError(error);
  if (unparsed !== undefined) {
    exchange.end({ kind: 'not-http', ...unparsed });
    refuse(response, { reason: `what the service answered is no HTTP (${error.message})`, mark });
    return;
  }
  // Node gives a closed connection the code of a reset one.
  const reset = 'syscall' in error ? error : undefined;
  exchange.end({ kind: 'dropped', error: reset, isStale: isReused && !response.headersSent });
  // The client sees the same end of its connection that it would have seen from the service.
  if (reset === undefined) {
    request.socket.destroySoon();
  } else {
    request.socket.resetAndDestroy();
  }
}

/** Pipes the bytes of one connection to another, and ends the other with the first. */
function tie(from: Duplex, to: Duplex): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
  // Received bytes are still written; pipe() ends the other side after a proper end, but not after an error.
  from.once('close', () => to.end(() => to.destroy()));
}
