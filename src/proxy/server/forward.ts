import type { ClientRequest, IncomingMessage } from 'node:http';
import { describeConnectionFailure } from '../../http/describe-connection-failure.ts';
import { addTrailers } from './add-trailers.ts';
import type { Forwarding } from './forwarding.ts';
import { openTunnel } from './open-tunnel.ts';
import { openUpstreamRequest } from './open-upstream-request.ts';
import { passAnswer } from './pass-answer.ts';
import { passInterim } from './pass-interim.ts';
import { readParseError } from './read-parse-error.ts';
import { refuse } from './refuse.ts';

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
    if (isOver) {
      return;
    }
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
