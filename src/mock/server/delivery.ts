import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Writable } from 'node:stream';
// Not the global one: a test that uses a mock may have replaced it.
import { setImmediate } from 'node:timers';
import type { Delays } from '../clock.ts';
import type { EventStream, MockResponse } from '../message.ts';

let waiting: (readonly [response: ServerResponse, body: MockResponse['body']])[] = [];

/**
 * Writes the content of a response and ends it, after all requests that arrived in this turn of the event loop are
 * read. Each write wakes up a sleeping client, which costs the system as much time as the rest of the response. A
 * client that is awake reads the next responses as they arrive.
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
    // Node writes head and content together at the end of this tick. `end(body)` would append an empty text. The two
    // would then be written as a list, which costs a tenth of the time of a request.
    response.write(body);
    process.nextTick(end, response);
  }
}

/** The time between two comments that keep an open stream from being closed as idle (HTML §9.2.7), in milliseconds. */
const heartbeatMs = 15_000;

/** Writes a stream one event at a time, with a pause between two. An open stream ends when the server closes. */
export function writeEvents(
  response: ServerResponse,
  { status, headers, events }: Pick<MockResponse, 'status' | 'headers'> & { readonly events: EventStream },
  { delays, isClosing }: { readonly delays: Delays; readonly isClosing: () => boolean },
): void {
  const { texts, pauseMs = 50, open = false } = events;
  let cancel: (() => void) | undefined;
  const writeFrom = (index: number): void => {
    const text = texts[index];
    if (isClosing() || (text === undefined && !open)) {
      // The head has promised to keep the connection, so that only this ends it.
      const leave = (): void => void (isClosing() && response.req.socket.destroySoon());
      response.end(texts.slice(index).join(''), leave);
      return;
    }
    if (text !== undefined || index > texts.length) response.write(text ?? ':\n\n');
    const isLast = index >= texts.length - 1;
    if (isLast && !open) {
      response.end();
      return;
    }
    const next = isLast ? Math.max(index, texts.length) + 1 : index + 1;
    cancel = delays.wait(isLast ? heartbeatMs : pauseMs, () => writeFrom(next));
  };
  response.once('close', () => cancel?.());
  response.writeHead(status, [...headers]);
  response.flushHeaders();
  writeFrom(0);
}

/**
 * Writes content as it arrives from a real service. If the service breaks off, or the server closes, so does the
 * response: the client must not take it for complete.
 */
export function writeStream(stream: ReadableStream<Uint8Array>, response: Writable, delays: Delays): void {
  const cancel = delays.wait(Infinity, () => response.destroy(new Error('The server closes.')));
  pipeline(stream, response, cancel);
}

/** Returns a signal that aborts when a response is closed, in the middle if the client goes away. */
export function closeSignal(response: Writable | undefined): AbortSignal {
  const controller = new AbortController();
  if (response?.closed === true) controller.abort();
  else response?.once('close', () => controller.abort());
  return controller.signal;
}

function end(response: ServerResponse): void {
  response.end();
}

const answered = new WeakSet<Socket>();

/** Returns true if a connection got the response to a request that is still arriving. */
export function hasEarlyAnswer(socket: Socket): boolean {
  return answered.has(socket);
}

/**
 * Closes a connection gracefully after an early response: closes the sending side, and discards for a while the data
 * that the client still sends. Closing it immediately would reset the connection, and the client might lose the
 * response (RFC 9112 §9.6).
 */
export function linger(socket: Socket, forMs: number): void {
  if (answered.has(socket)) return;
  answered.add(socket);
  // Node calls it after the last response of a connection, and would destroy the socket.
  socket.destroySoon = () => {
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), forMs);
    socket.once('end', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
  };
}

/** Continues when the earlier responses of the connection are written; never if one of them ends it. */
export function whenItsTurn(response: ServerResponse, goOn: () => void): void {
  if (response.socket === null) {
    response.once('socket', goOn);
  } else {
    goOn();
  }
}

const latest = new WeakMap<Socket, ServerResponse>();

/** Notes the response to the latest request of a connection. */
export function noteAnswer(socket: Socket, response: ServerResponse): void {
  latest.set(socket, response);
}

/**
 * Continues when the responses to all complete requests of a connection are written; never if one of them ends it.
 * Closes the connection if the incomplete request already got its response.
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
 * Writes the first half of the content, with the Content-Length of the whole, and closes the connection. For a response
 * without content nothing is written, as the head alone would be a complete response.
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
