import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
// Not the global one: a test of whoever uses a mock may have stopped it.
import { setImmediate } from 'node:timers';
import type { MockResponse } from '../message.ts';

/** The answers that a server holds back. */
export interface Delays {
  /** Goes on after so many milliseconds, or as soon as the server closes; not at all where the client has gone by then. */
  wait(ms: number, response: ServerResponse, goOn: () => void): void;
  /** Goes on with all that is held back, so that nobody waits for it. */
  endAll(): void;
}

/** Makes what holds answers back. */
export function createDelays(): Delays {
  const waiting = new Set<() => void>();
  return {
    wait(ms, response, goOn) {
      const timer = setTimeout(end, ms);
      function forget(): void {
        clearTimeout(timer);
        waiting.delete(end);
        response.off('close', forget);
      }
      function end(): void {
        forget();
        goOn();
      }
      waiting.add(end);
      response.once('close', forget);
    },
    endAll() {
      // Each takes itself out, which a set allows while it is gone through.
      waiting.forEach((end) => end());
    },
  };
}

let waiting: (readonly [response: ServerResponse, body: MockResponse['body']])[] = [];

/**
 * Writes the content of a response, and ends it, when all requests are read that came in this turn of the event loop. Each
 * write wakes a client that sleeps, which takes the system as long as all else that a response needs; one that is awake reads
 * the next responses as they come.
 */
export function writeInTurn(response: ServerResponse, body: MockResponse['body']): void {
  if (waiting.length === 0) setImmediate(writeWaiting);
  waiting.push([response, body]);
}

function writeWaiting(): void {
  const responses = waiting;
  waiting = [];
  for (const [response, body] of responses) {
    if (typeof body !== 'string' || body === '') {
      response.end(body);
      continue;
    }
    // Node writes head and content at once at the end of this tick. `end(body)` would write an empty text behind them, so
    // that the two go to the system as a list, which costs a tenth of all that a request takes.
    response.write(body);
    process.nextTick(end, response);
  }
}

function end(response: ServerResponse): void {
  response.end();
}

const answered = new WeakSet<Socket>();

/** Whether a connection has had the answer to a request that is still coming in. */
export function hasEarlyAnswer(socket: Socket): boolean {
  return answered.has(socket);
}

/**
 * Makes a connection close politely after an answer that came before the end of its request: our side is
 * closed, and what the client still sends is read and thrown away for a while. Closed at once, the
 * connection would be reset, and the client might lose the answer with it (RFC 9112 §9.6).
 */
export function linger(socket: Socket, forMs: number): void {
  if (answered.has(socket)) return;
  answered.add(socket);
  // Node calls it when the last answer of a connection is written, and would destroy the socket with it.
  socket.destroySoon = () => {
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), forMs);
    socket.once('end', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
  };
}

/** Continues when earlier responses of the connection are written, as it may end it; never if it ends before. */
export function whenItsTurn(response: ServerResponse, goOn: () => void): void {
  if (response.socket === null) {
    response.once('socket', goOn);
  } else {
    goOn();
  }
}

const latest = new WeakMap<Socket, ServerResponse>();

/** Notes where the answer to the latest request of a connection will be written. */
export function noteAnswer(socket: Socket, response: ServerResponse): void {
  latest.set(socket, response);
}

/**
 * Goes on when the answers to all whole requests of a connection are written. Not at all where one of them ends it, and
 * where the request that broke off has had its answer the connection is closed.
 */
export function whenAllAnswered(socket: Socket, goOn: () => void): void {
  const response = latest.get(socket);
  if (response === undefined || (response.req.complete && response.writableFinished)) {
    goOn();
  } else if (response.req.complete) {
    response.once('finish', goOn);
  } else {
    whenItsTurn(response, () => (response.headersSent ? socket.destroySoon() : goOn()));
  }
}

/**
 * Writes the first half of an answer's content, with the Content-Length of the whole, and ends the connection there. Of an
 * answer without content nothing is written: half of nothing would be a whole answer.
 */
export function writeHalf(response: ServerResponse, { status, headers, body = '' }: MockResponse): void {
  const content = Buffer.from(body);
  const { socket } = response;
  if (content.length === 0 || response.req.method === 'HEAD') {
    socket?.destroy();
    return;
  }
  response.writeHead(status, [...headers, 'Content-Length', String(content.length), 'Connection', 'close']);
  response.write(content.subarray(0, content.length >> 1), () => socket?.destroy());
}
