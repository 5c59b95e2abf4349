import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Delays } from '../clock.ts';
import { isMounted } from '../control/control.ts';
import type {
  ConnectionFault,
  Delivery,
  MaybePromise,
  MockResponse,
  Mounted,
  Reach,
  RequestContent,
  RequestHead,
} from '../message.ts';
import { answerReceived, type EarlyResponse, type ReceivedHead, type Responder } from '../responder.ts';
import {
  closeSignal,
  hasEarlyAnswer,
  linger,
  noteAnswer,
  whenItsTurn,
  writeEvents,
  writeHalf,
  writeInTurn,
  writeStream,
} from './delivery.ts';

/** The time within which a repeated request counts as the same one, in milliseconds. */
const forgottenAfter = 1000;

/**
 * Remembers requests whose connection was dropped, and that a browser repeats.
 *
 * If a reused connection ends without a response, Chromium assumes that it was idle too long. It repeats the request,
 * even a POST, on another connection (RFC 9112 §9.3.1 allows that only if it does no harm). The page would never see
 * the fault of a rule for only the next request. The server therefore drops the repeated request too, without counting
 * it, until it fails on a new connection; Chromium reports that to the page.
 */
function createResendMemory() {
  const noted = new Map<string, NodeJS.Timeout>();

  function keyOf({ method, url, rawHeaders }: IncomingMessage): string {
    return [method, url, ...rawHeaders].join('\n');
  }

  function forget(key: string): void {
    clearTimeout(noted.get(key));
    noted.delete(key);
  }

  return {
    note(request: IncomingMessage): void {
      const isUsed = request.socket.bytesWritten > 0;
      if (isUsed && request.headers['user-agent']?.includes('Chrome/') === true) {
        const key = keyOf(request);
        forget(key);
        noted.set(key, setTimeout(forget, forgottenAfter, key).unref());
      }
    },
    /** Returns true if a request was noted and must be dropped again. */
    isResent(request: IncomingMessage): boolean {
      const key = noted.size === 0 ? '' : keyOf(request);
      if (!noted.has(key)) return false;
      if (request.socket.bytesWritten === 0) forget(key);
      return true;
    },
  };
}

/** The characters of a host and port (RFC 3986 §3.2.2), without a full parser. */
const hostAndPort = /^[^\s/?#@\\"<>]*$/u;

/** Returns true for exactly one Host, or none in HTTP/1.0 (RFC 9112 §3.2). Node.js joins several with a comma. */
export function isValidHost(host: string | undefined, isOld: boolean): boolean {
  return host === undefined ? isOld : hostAndPort.test(host);
}

/** The head of a Node request, read without copying. */
export class NodeRequestHead implements RequestHead {
  readonly #headers: IncomingMessage['headers'];
  readonly #fields: readonly string[];
  readonly #response: ServerResponse | undefined;
  readonly method: string;
  readonly target: string;
  readonly origin: string | undefined;

  constructor(request: IncomingMessage, response?: ServerResponse) {
    this.#headers = request.headers;
    // Not the request: storing the fields must not keep the connection alive.
    this.#fields = request.rawHeaders;
    this.#response = response;
    this.method = request.method ?? '';
    this.target = request.url ?? '';
    // A connection in the process may also represent one over TLS.
    this.origin = 'encrypted' in request.socket ? `https://${request.headers.host ?? ''}` : undefined;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    if (typeof value === 'string') return value;
    // A parameter may be named `constructor`: inherited properties are not fields.
    return Array.isArray(value) ? value.join(', ') : undefined;
  }

  fields(): readonly string[] {
    return this.#fields;
  }

  signal(): AbortSignal {
    return closeSignal(this.#response);
  }
}

/**
 * Reads the content of a request and discards the bytes past the limit; a change of the contract does not affect it.
 * Calls `then` once: with the whole content, or as soon as it is too large. If the connection ends before, `then` is
 * not called.
 */
function readContent(request: IncomingMessage, limit: number, then: (content: RequestContent) => void): void {
  let chunks: Buffer[] | undefined;
  let first: Buffer | undefined;
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) {
      if (length - chunk.length <= limit) {
        chunks = undefined;
        first = undefined;
        then('too-large');
      }
      return;
    }
    if (first === undefined) {
      first = chunk;
    } else {
      chunks ??= [first];
      chunks.push(chunk);
    }
  });
  request.on('end', () => {
    if (length <= limit) then(chunks === undefined ? first : Buffer.concat(chunks, length));
  });
}

/** Reads expected content: sends 100 Continue if requested, and does not read content announced as too large. */
function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, take }: { readonly limit: number; readonly take: (content: RequestContent) => void },
): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    take('too-large');
    return;
  }
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  readContent(request, limit, take);
}

/** The state of the server that writing responses depends on. */
export interface ListenerState {
  /** Whether the server accepts no more requests, so each response is the last of its connection. */
  readonly isClosing: () => boolean;
  readonly delays: Delays;
  readonly lingerMs: number;
  /** Returns the way requests on a connection reach the mock, for the control interface. */
  readonly reachOf: (socket: Pick<Socket, 'remoteAddress'>) => Reach;
}

/**
 * The time to wait for content before an early response, in milliseconds: nearly all clients send small content with
 * the head. A client that stops midway still gets the response.
 */
const contentWaitMs = 100;

function hasContent({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** Continues when the request has arrived completely: otherwise a reset could lose the written response. */
function whenRead(request: IncomingMessage, goOn: () => void): void {
  if (request.complete || !hasContent(request) || request.headers.expect !== undefined) {
    goOn();
    return;
  }
  request.once('end', goOn);
  request.resume();
}

/** Returns the delivery of the response, which the head decides. */
function deliveryOf(received: ReceivedHead): Delivery | undefined {
  return received.kind === 'early-response' ? received.answer.delivery : received.injectedFault?.delivery;
}

/** Whether a response waits for the whole request: a forced one does; a dropped connection or a refusal need not. */
function isCarriedThrough({ answer }: EarlyResponse): boolean {
  return answer.note.forced === true && answer.delivery?.connection !== 'drop';
}

/** Writes a response; `isLast` closes the connection after it. */
function write(response: ServerResponse, answer: MockResponse, isLast: boolean): void {
  const { status, headers, body } = answer;
  const fields = [...headers];
  if (body !== undefined) {
    fields.push('Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length));
  }
  if (isLast) fields.push('Connection', 'close');
  response.writeHead(status, fields);
  writeInTurn(response, body);
}

/** Creates the listener of a node:http server. */
export function createRequestListener(responder: Responder, state: ListenerState): RequestListener {
  const server = new MockServer(responder, state);
  return (request, response) => server.receive(request, response);
}

/** Answers the requests of a node:http server. It avoids objects and promises when the store answers synchronously. */
class MockServer {
  readonly #responder: Responder;
  readonly #state: ListenerState;
  readonly #resends = createResendMemory();
  /** Connections that end with a pending response; later requests on them get none. */
  readonly #ending = new WeakSet<Socket>();

  constructor(responder: Responder, state: ListenerState) {
    this.#responder = responder;
    this.#state = state;
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    noteAnswer(request.socket, response);
    try {
      this.#answer(request, response);
    } catch (error) {
      this.#fail(request, response, error);
    }
  }

  /** Answers an invalid request, and closes the connection. */
  #reject(request: IncomingMessage, response: ServerResponse, fault: ConnectionFault): void {
    const answer = this.#responder.refuse({ fault, head: new NodeRequestHead(request) });
    linger(request.socket, this.#state.lingerMs);
    write(response, answer, true);
    request.resume();
  }

  /** Answers after a bug of the mock, and reports it as a warning of the process. */
  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    process.emitWarning(error instanceof Error ? error : String(error));
    try {
      this.#reject(request, response, 'internal-error');
    } catch {
      // The log may have failed, or half of a response may be written.
      request.socket.destroy();
    }
  }

  /** Delivers a response late, partially, or not at all. */
  #deliver(
    request: IncomingMessage,
    response: ServerResponse,
    { delayMs, connection, ...answer }: MockResponse & Delivery,
  ): void {
    if (delayMs > 0 && !this.#state.isClosing()) {
      // Content that is not read would appear to be from a client that is too slow.
      request.resume();
      const delivery = connection === 'keep' ? undefined : { delayMs: 0, connection };
      const cancel = this.#state.delays.wait(delayMs, () => {
        try {
          this.#finish(request, response, { ...answer, delivery });
        } catch (error) {
          this.#fail(request, response, error);
        }
      });
      // The client may disconnect earlier.
      response.once('close', cancel);
    } else if (connection === 'drop') {
      whenItsTurn(response, () => {
        this.#resends.note(request);
        request.socket.destroy();
      });
    } else if (connection === 'truncate') {
      whenRead(request, () => whenItsTurn(response, () => writeHalf(response, answer)));
    } else {
      this.#finish(request, response, { ...answer, delivery: undefined });
    }
  }

  #finish(request: IncomingMessage, response: ServerResponse, answer: MaybePromise<MockResponse>): void {
    if (answer instanceof Promise) {
      answer
        .then((made) => this.#finish(request, response, made))
        .catch((error: unknown) => this.#fail(request, response, error));
      return;
    }
    if (answer.delivery !== undefined) {
      this.#deliver(request, response, { ...answer, ...answer.delivery });
      return;
    }
    if (answer.events !== undefined && request.method !== 'HEAD') {
      writeEvents(response, { ...answer, events: answer.events }, this.#state);
      request.resume();
      return;
    }
    if (answer.passed !== undefined) {
      response.writeHead(answer.status, [...answer.headers]);
      response.flushHeaders();
      writeStream(answer.passed.stream, response, this.#state.delays);
      request.resume();
      return;
    }
    if (request.complete || !hasContent(request)) {
      write(response, answer, this.#state.isClosing());
      return;
    }
    // Content that has not arrived is small enough to be discarded, or the connection ends.
    const { 'content-length': length = Infinity, expect } = request.headers;
    const isLast =
      this.#state.isClosing() || Number(length) > this.#responder.contentLimit || expect !== undefined;
    if (isLast) linger(request.socket, this.#state.lingerMs);
    write(response, answer, isLast);
    request.resume();
  }

  #respond(request: IncomingMessage, response: ServerResponse, received: ReceivedHead): void {
    receive(request, response, {
      limit: this.#responder.contentLimit,
      take: (content) => {
        try {
          this.#finish(request, response, answerReceived(this.#responder, received, content));
        } catch (error) {
          this.#fail(request, response, error);
        }
      },
    });
  }

  /** Sends an early response. Waits briefly for small content, so the log can show it. */
  #conclude(request: IncomingMessage, response: ServerResponse, answered: EarlyResponse): void {
    const { 'content-length': length, expect } = request.headers;
    if (length === undefined || Number(length) > this.#responder.contentLimit || expect !== undefined) {
      this.#finish(request, response, this.#responder.respondEarly(answered, 'not-read'));
      return;
    }
    let isOver = false;
    const end = (content: RequestContent | 'not-read'): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (hasEarlyAnswer(request.socket)) {
        // The bytes after the head were invalid content, and were answered as that.
        return;
      }
      try {
        this.#finish(request, response, this.#responder.respondEarly(answered, content));
      } catch (error) {
        this.#fail(request, response, error);
      }
    };
    const giveUp = (): void => end('not-read');
    const timer = setTimeout(giveUp, contentWaitMs);
    request.once('close', giveUp);
    readContent(request, this.#responder.contentLimit, end);
  }

  /** Answers with the mounted handler, whose content may be large. */
  async #answerMounted(request: IncomingMessage, response: ServerResponse, mounted: Mounted): Promise<void> {
    const asked = { head: new NodeRequestHead(request), reach: this.#state.reachOf(request.socket) };
    const take = (content: RequestContent): void =>
      this.#finish(request, response, mounted.answer({ ...asked, content }));
    if (!hasContent(request)) {
      take(undefined);
      return;
    }
    const refused = await mounted.refuse(asked);
    if (refused === undefined) {
      receive(request, response, { limit: mounted.contentLimit, take });
    } else {
      this.#finish(request, response, refused);
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#ending.has(request.socket)) {
      request.resume();
      return;
    }
    const { headers, httpVersionMajor, httpVersionMinor } = request;
    if (!isValidHost(headers.host, httpVersionMajor === 1 && httpVersionMinor === 0)) {
      this.#reject(request, response, 'invalid-host');
      return;
    }
    const { mounted } = this.#responder;
    if (mounted !== undefined && isMounted(request.url ?? '', mounted.prefix)) {
      this.#answerMounted(request, response, mounted).catch((error: unknown) =>
        this.#fail(request, response, error),
      );
      return;
    }
    if (this.#resends.isResent(request)) {
      request.socket.destroy();
      return;
    }
    const received = this.#responder.receive(new NodeRequestHead(request, response));
    if ((deliveryOf(received)?.connection ?? 'keep') !== 'keep') this.#ending.add(request.socket);
    if (!hasContent(request)) {
      this.#finish(request, response, answerReceived(this.#responder, received, undefined));
    } else if (received.kind === 'accepted' || isCarriedThrough(received)) {
      this.#respond(request, response, received);
    } else {
      this.#conclude(request, response, received);
    }
  }
}
