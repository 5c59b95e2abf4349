import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type InformationEvent,
  type OutgoingMessage,
  request as requestHttp,
  type RequestOptions,
} from 'node:http';
import { request as requestTls } from 'node:https';
import type { Socket } from 'node:net';
import { describeConnectionFailure } from '../../http/failures.ts';
import { readParseError } from './connection.ts';
import { type Forwarding, partHopFields, refuse, writeHead } from './message.ts';
import { openTunnel } from './tunnel.ts';

/**
 * Gives a message that leaves in chunks the trailer fields that came with it (RFC 9110 §6.5).
 *
 * @param fields - names and values in turn, as Node has them in `rawTrailers`
 */
function addTrailers(message: OutgoingMessage, fields: readonly string[]): void {
  const list: [name: string, value: string][] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    list.push([fields[index] ?? '', fields[index + 1] ?? '']);
  }
  if (list.length > 0) {
    message.addTrailers(list);
  }
}

/** Of the header section of an answer; Node's own limit is 16 KiB. */
const mostHeaderBytes = 256 * 1024;

/** What {@link openUpstreamRequest} writes. */
interface UpstreamHead {
  readonly baseUrl: URL;
  readonly agent: Agent;
  readonly method: string;
  /** The path prefix of the base URL included. */
  readonly path: string;
  /** Names and values in turn. */
  readonly fields: readonly string[];
}

/** Methods that Node gives no framing field by itself. */
const withoutContent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function isFramed(fields: readonly string[]): boolean {
  return fields.some(
    (text, index) => index % 2 === 0 && /^(?:content-length|transfer-encoding)$/iu.test(text),
  );
}

/**
 * Begins a request to the service, with the fields as they are given: in their order and spelling, those that are
 * there more than once included, and no field besides but Connection.
 *
 * Where a request that usually has content comes without any, and without a length, Node would add one to a list;
 * so its fields are given one by one, and those of one name then leave side by side.
 *
 * @throws TypeError for a field or a path that no request can have
 */
function openUpstreamRequest({ baseUrl, agent, method, path, fields }: UpstreamHead): ClientRequest {
  const open = baseUrl.protocol === 'https:' ? requestTls : requestHttp;
  const options: RequestOptions = {
    // RFC 3986 §3.2.2: the brackets belong to the URL, not to the address.
    host: baseUrl.hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: baseUrl.port || (baseUrl.protocol === 'https:' ? 443 : 80),
    method,
    path,
    agent,
    setHost: false,
    maxHeaderSize: mostHeaderBytes,
  };
  if (withoutContent.has(method) || isFramed(fields)) {
    const request = open({ ...options, headers: [...fields] });
    // Of an answer too every field passes.
    request.maxHeadersCount = 0;
    return request;
  }
  const request = open(options);
  request.maxHeadersCount = 0;
  try {
    for (let index = 0; index + 1 < fields.length; index += 2) {
      request.appendHeader(fields[index] ?? '', fields[index + 1] ?? '');
    }
  } catch (error) {
    request.on('error', () => undefined).destroy();
    throw error;
  }
  request.removeHeader('Content-Length');
  request.removeHeader('Transfer-Encoding');
  return request;
}

/**
 * Whether the end of an answer is the end of its connection (RFC 9112 §6.3, rule 8). Node's client ends it after an
 * answer to HEAD too that says nothing of a length.
 */
function isUntilClose({ statusCode = 0, headers }: IncomingMessage): boolean {
  const isChunked = /\bchunked\s*$/iu.test(headers['transfer-encoding'] ?? '');
  return statusCode !== 204 && statusCode !== 304 && !isChunked && headers['content-length'] === undefined;
}

/** Whether the service keeps the connection after its answer (RFC 9112 §9.3). */
function isKept({ httpVersion }: IncomingMessage, options: ReadonlySet<string>): boolean {
  return !options.has('close') && (httpVersion === '1.1' || options.has('keep-alive'));
}

/** Node knows the answer to an expectation only where it wrote it, and then cannot keep the connection. */
function isUnexpected({ headers: { expect } }: IncomingMessage, hasContinued: boolean): boolean {
  return !hasContinued && expect?.toLowerCase() === '100-continue';
}

/**
 * Writes the head of an answer, with all fields as they came; only the mark is added. The connection is kept where
 * the service keeps its own, in the words in which the service says so: the two end together.
 */
function writeAnswerHead(forwarding: Forwarding, answer: IncomingMessage, hasContinued: boolean): void {
  const { request, response, mark } = forwarding;
  const { kept, options, removed } = partHopFields(answer.rawHeaders);
  const isOld = request.httpVersion === '1.0';
  const fields = isOld
    ? kept.filter((_, index) => kept[index - (index % 2)]?.toLowerCase() !== 'transfer-encoding')
    : [...kept];
  const untilClose = isUntilClose(answer);
  response.sendDate = false;
  if (untilClose) {
    // Node would chunk it.
    response.removeHeader('Transfer-Encoding');
  }
  response.shouldKeepAlive &&= !untilClose && isKept(answer, options) && !isUnexpected(request, hasContinued);
  if (response.shouldKeepAlive && options.has('keep-alive')) {
    const hint = removed.get('keep-alive');
    fields.push('Connection', 'keep-alive', ...(hint === undefined ? [] : ['Keep-Alive', hint]));
  } else if (response.shouldKeepAlive && !isOld) {
    response.removeHeader('Connection');
  }
  response.writeHead(answer.statusCode ?? 0, answer.statusMessage, [...fields, ...mark]);
}

/**
 * Passes an answer on as it comes, at the speed of the client.
 *
 * @param input.onEnd - told when the whole answer has come
 * @param input.onFailure - told when it breaks off
 * @throws RangeError or TypeError for a head that Node does not write
 */
function passAnswer(
  forwarding: Forwarding,
  answer: IncomingMessage,
  input: {
    readonly hasContinued: boolean;
    readonly onEnd: () => void;
    readonly onFailure: (error: Error) => void;
  },
): void {
  const { response, exchange } = forwarding;
  exchange.takeHead(answer);
  answer.on('error', input.onFailure);
  writeAnswerHead(forwarding, answer, input.hasContinued);
  answer.on('data', (chunk: Buffer) => exchange.takeReceived(chunk));
  answer.pipe(response, { end: false });
  answer.on('end', () => {
    if (answer.complete) {
      addTrailers(response, answer.rawTrailers);
      response.end();
      input.onEnd();
    }
  });
  // The head leaves with the content that came with it, but does not wait for what is still to come.
  setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) {
      response.flushHeaders();
    }
  });
}

/** Passes an interim answer on (RFC 9110 §15.2); HTTP/1.0 knows none. */
function passInterim({ request, response }: Forwarding, interim: InformationEvent): void {
  if (request.httpVersion === '1.0' || response.headersSent) return;
  const { statusCode, statusMessage, rawHeaders } = interim;
  if (statusCode === 100) {
    // Node closes a connection on which it does not know of the answer to an expectation.
    response.writeContinue();
    return;
  }
  const head = { status: statusCode, reason: statusMessage, fields: partHopFields(rawHeaders).kept };
  if (response.socket !== null) {
    writeHead(response.socket, head);
    return;
  }
  // The answers to earlier requests of the connection come first.
  response.once('socket', (socket: Socket) => writeHead(socket, head));
}

function hasContent({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Passes the content of a request on as it comes, at the speed of the service. */
function passContent({ request, exchange }: Forwarding, upstreamRequest: ClientRequest): void {
  request.on('data', (chunk: Buffer) => exchange.takeSent(chunk));
  if (!hasContent(request)) {
    upstreamRequest.end();
    request.resume();
    return;
  }
  request.pipe(upstreamRequest, { end: false });
  request.on('end', () => {
    addTrailers(upstreamRequest, request.rawTrailers);
    upstreamRequest.end();
  });
  setImmediate(() => {
    if (!upstreamRequest.destroyed) {
      upstreamRequest.flushHeaders();
    }
  });
}

/**
 * Reads what the service no longer takes of the content of a request: its client may not look at an answer before
 * it has sent all.
 */
function dropContent({ request }: Forwarding, upstreamRequest: ClientRequest): void {
  request.unpipe(upstreamRequest);
  request.resume();
}

/** Passes on what comes of a request after its answer, as long as the service takes it. */
function passRest(forwarding: Forwarding, upstreamRequest: ClientRequest): void {
  const { socket } = upstreamRequest;
  const stop = (): void => dropContent(forwarding, upstreamRequest);
  if (socket === null || socket.readableEnded || socket.destroyed) {
    stop();
    return;
  }
  // After the end of an answer Node's client no longer says when its connection takes more.
  const onDrain = (): void => void upstreamRequest.emit('drain');
  socket.on('drain', onDrain).once('end', stop).once('close', stop);
  upstreamRequest.once('finish', () => socket.off('drain', onDrain).off('end', stop).off('close', stop));
  socket.resume();
}

/** Ends the connection of a client as the service ended its own, so that the client sees what it would have seen. */
function dropClient({ request: { socket } }: Forwarding, reset: Error | undefined): void {
  if (reset !== undefined) {
    socket.resetAndDestroy();
  } else {
    socket.destroySoon();
  }
}

/** Has the exchange note what came of an answer before it broke off, and waits to be read. */
function noteRest(answer: IncomingMessage | undefined): void {
  let piece: unknown = answer?.read() ?? null;
  while (piece !== null) {
    piece = answer?.read() ?? null;
  }
}

/** Says what became of a request whose answer did not come, or not whole. */
function settleFailure(
  forwarding: Forwarding,
  error: Error,
  { wasConnected, isReused }: { readonly wasConnected: boolean; readonly isReused: boolean },
): void {
  const { response, exchange, upstream } = forwarding;
  if (!wasConnected) {
    const reason = describeConnectionFailure({ error, place: upstream.baseUrl.host });
    exchange.end({ kind: 'unreachable', reason });
    refuse(forwarding, reason);
    return;
  }
  const unparsed = readParseError(error);
  if (unparsed !== undefined) {
    exchange.end({ kind: 'not-http', ...unparsed });
    refuse(forwarding, `what the service answered is no HTTP (${error.message})`);
    return;
  }
  // Node gives a connection that was closed the code of one that was reset.
  const reset = 'syscall' in error ? error : undefined;
  exchange.end({ kind: 'dropped', error: reset, isStale: isReused && !response.headersSent });
  dropClient(forwarding, reset);
}

/**
 * Forwards a request to the service and its answer to the client, both as they come.
 *
 * The client is node:http's and not undici's: it hands over interim answers, the fields of trailers, and the
 * connection of an upgrade, and it writes fields in the order and spelling in which it gets them.
 */
export function forward(forwarding: Forwarding): void {
  const { upstream, connection, request, response, exchange, path, fields, tunnel } = forwarding;
  let upstreamRequest: ClientRequest;
  let answering: IncomingMessage | undefined;
  try {
    upstreamRequest = openUpstreamRequest({
      baseUrl: upstream.baseUrl,
      agent: connection.agent,
      method: request.method ?? '',
      path,
      fields,
    });
  } catch (error) {
    exchange.end({ kind: 'left', why: 'it cannot be forwarded' });
    refuse(forwarding, `the request cannot be forwarded (${error instanceof Error ? error.message : ''})`);
    request.resume();
    return;
  }
  let hasContinued = false;
  let isAnswered = false;
  let isOver = false;

  function fail(error: Error): void {
    if (isOver) return;
    if (answering?.complete === true) {
      // All of the answer has come, and what else did is no part of it: it passes like any other.
      exchange.takeTrailing(readParseError(error)?.unread);
      return;
    }
    isOver = true;
    noteRest(answering);
    settleFailure(forwarding, error, connection.wayOf(upstreamRequest));
    upstreamRequest.destroy();
    dropContent(forwarding, upstreamRequest);
  }

  function finish(): void {
    isOver = true;
    isAnswered = true;
    if (request.readableEnded) {
      exchange.end({ kind: 'answered' });
      return;
    }
    request.socket.once('close', () => {
      exchange.end({ kind: 'left', why: 'its request did not come to its end' });
    });
    passRest(forwarding, upstreamRequest);
  }

  connection.begin(upstreamRequest, response);
  upstreamRequest.on('information', (interim) => {
    hasContinued ||= interim.statusCode === 100;
    passInterim(forwarding, interim);
  });
  upstreamRequest.on('response', (answer) => {
    answering = answer;
    try {
      passAnswer(forwarding, answer, { hasContinued, onEnd: finish, onFailure: fail });
    } catch (error) {
      isOver = true;
      const reason = error instanceof Error ? error.message : '';
      exchange.end({ kind: 'not-http', reason, packet: new Uint8Array(), unread: new Uint8Array() });
      refuse(forwarding, `the answer of the service cannot be passed on (${reason})`);
      upstreamRequest.destroy();
    }
  });
  upstreamRequest.on('error', fail);
  if (tunnel !== undefined) {
    const onTunnel = openTunnel({ ...forwarding, tunnel }, () => {
      isOver = true;
    });
    upstreamRequest.on('upgrade', onTunnel);
    upstreamRequest.on('connect', onTunnel);
  }

  // What goes wrong with the connection of the client ends it, which is told by `close`.
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  request.once('end', () => {
    if (isAnswered) {
      exchange.end({ kind: 'answered' });
    }
  });
  response.once('close', () => {
    if (request.readableEnded || request.socket.destroyed) {
      connection.end();
    } else {
      request.once('end', () => connection.end());
    }
    if (!isOver) {
      isOver = true;
      exchange.end({ kind: 'left', why: forwarding.whyLeft() });
      upstreamRequest.destroy();
    }
  });
  passContent(forwarding, upstreamRequest);
}
