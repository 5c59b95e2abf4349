import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { abortListeners } from './abort.ts';
import {
  type ConnectTarget,
  isStaleConnectionDrop,
  noteStaleConnection,
  prepareUrlConnections,
  type UrlConnection,
  withPauses,
} from './connect.ts';
import { decodeContent } from './content-coding.ts';
import { describeDrop, errorCode, isTlsAlert, toUnreachable } from './failures.ts';
import {
  addDefaultHeaders,
  type Answer,
  cutResponse,
  type Framing,
  type HeaderList,
  headerValue,
  type HttpRequest,
  type Send,
  type SendOptions,
  toHeaderList,
  usualResponseLimit,
} from './message.ts';
import { readHttpResponse } from './parse-response.ts';
import { rejectedByProxy, routeThrough } from './outgoing-proxy.ts';
import { createPassingStream, type PassingStream } from './passing-stream.ts';
import { pathPrefix } from './path.ts';
import { createSocketSend } from './raw-client.ts';
import { splitContent } from './serialize-request.ts';
import { eventWaits, isStream } from './streams.ts';

/** Options of {@link createUrlSend}. */
export interface UrlSendOptions extends ConnectTarget {
  /** The maximum number of concurrent requests; more of them wait. */
  readonly connections: number;
}

/** Sends requests to a real service. */
export interface UrlSend {
  readonly send: Send;
  /** Waits for requests in progress, then closes all connections. Streams that still pass break off. */
  close(): Promise<void>;
}

/**
 * Creates a send to a base URL over kept-alive connections.
 *
 * The request is sent unchanged, plus Host, Connection and the field that frames its content. Redirects are not
 * followed, and interim responses are skipped. The body of a response is decoded (gzip, deflate, br) for the checks,
 * and its header fields are unchanged. Of a stream, the first events are read, or with `passesStreams` it passes as it
 * arrives. Requests that undici cannot send (a second Host, a wrong Content-Length, CONNECT) use a raw socket.
 *
 * No request is sent twice. A service may close a kept connection just as a request is sent on it, and it is unknown
 * whether the service handled the request. Therefore a POST must not be repeated automatically (RFC 9110 §9.2.2, RFC
 * 9112 §9.3.1). Idle connections are closed after a second, or earlier if the service's Keep-Alive says so. The first
 * unannounced drop ends all reuse. `isStaleConnectionDrop` recognizes such a drop; the caller confirms it with another
 * request, which has a new connection.
 *
 * @throws ClocheError OPTION_INVALID for certificates that `toTlsOptions` rejects; `send` never rejects
 */
export function createUrlSend(options: UrlSendOptions): UrlSend {
  const { baseUrl, proxy, timeoutMs, headers: defaults = [], responseLimit = usualResponseLimit } = options;
  const route = routeThrough(options);
  const prefix = route.origin + pathPrefix(baseUrl);
  const pool = new ConnectionPool(options);
  const socketSend = createSocketSend({ ...options, headers: [] }, { forwards: true });
  const expected = {
    streams: new Set<string>(),
    place: route.place,
    remedy: route.remedy,
    timeoutMs,
    responseLimit,
  };

  async function sendByUndici(
    request: HttpRequest,
    { framing, signal, onTook, passesStreams = false }: SendOptions,
  ): Promise<Answer | undefined> {
    const headers = [...request.headers, ...route.fields].flat();
    if (framing === 'several-packets' && request.body !== undefined && request.body.length > 0) {
      headers.push('Content-Length', String(request.body.length));
    }
    const connection = await pool.borrow();
    const answer = await new Promise<Answer | undefined>((settle) => {
      const { method } = request;
      const body = toUndiciBody(request.body, framing ?? 'content-length');
      const path = prefix + request.target;
      connection.client.dispatch(
        { path, method, headers, body, ...(pool.mayReuse ? {} : { reset: true }) },
        // In Node 20, properties after a spread take microseconds.
        new AnswerHandler({ connection, method, path, signal, onTook, passesStreams, settle, ...expected }),
      );
    });
    if (answer !== undefined && isStaleConnectionDrop(answer)) pool.mayReuse = false;
    if (answer?.kind === 'response' && answer.stream !== undefined) {
      pool.replace(connection);
    } else {
      // A client of undici that failed to connect may never send again, and another may still be connecting.
      pool.giveBack(connection, answer?.kind === 'unreachable' || signal?.aborted === true);
    }
    return answer;
  }

  return {
    async send(request, sendOptions = {}) {
      const headers = addDefaultHeaders(request.headers, defaults);
      const whole = headers === request.headers ? request : { ...request, headers };
      const byUndici = needsSocket(whole) ? undefined : await sendByUndici(whole, sendOptions);
      const answer = byUndici ?? (await socketSend(whole, sendOptions));
      if (answer.kind !== 'response') return answer;
      const { response, stream } = answer;
      // RFC 9110 §15.5.8: only a proxy answers 407.
      return proxy !== undefined && route.origin !== '' && response.status === 407
        ? toUnreachable({ ...route, error: rejectedByProxy(proxy, 407, 'a request') })
        : { kind: 'response', response, stream };
    },
    close: () => pool.close(),
  };
}

/** The connections of a send; each carries one request at a time. */
class ConnectionPool {
  readonly #connect: () => UrlConnection;
  readonly #most: number;
  readonly #all = new Set<UrlConnection>();
  readonly #free: UrlConnection[] = [];
  readonly #waiting: ((connection: UrlConnection) => void)[] = [];
  /** The connections whose response still passes. They do not count, as a stream may never end. */
  readonly #passing = new Set<UrlConnection>();
  #isClosed = false;
  /** Whether connections are reused for further requests. */
  mayReuse = true;

  constructor(options: UrlSendOptions) {
    this.#most = options.connections;
    this.#connect = prepareUrlConnections(options, () => {
      this.mayReuse = false;
    });
  }

  /** Returns the connection that was returned last, else a new one, else waits for the next one. */
  async borrow(): Promise<UrlConnection> {
    const added = this.#free.pop() ?? (this.#all.size < this.#most ? this.#add() : undefined);
    const connection = added ?? (await new Promise<UrlConnection>((goOn) => this.#waiting.push(goOn)));
    if (this.mayReuse || !connection.client.stats.connected) return connection;
    this.#all.delete(connection);
    void connection.client.close();
    return this.#add();
  }

  /** Returns a connection to the pool, or replaces it with a new one if it cannot carry further requests. */
  giveBack(connection: UrlConnection, isSpent: boolean): void {
    if (isSpent) {
      this.#all.delete(connection);
      void connection.client.destroy();
    }
    this.#pass(isSpent ? this.#add() : connection);
  }

  /** Replaces a connection whose response still passes; it closes after the response. */
  replace(connection: UrlConnection): void {
    this.#all.delete(connection);
    this.#passing.add(connection);
    void connection.client.close().finally(() => this.#passing.delete(connection));
    if (this.#isClosed) void connection.client.destroy(ended);
    this.#pass(this.#add());
  }

  #pass(connection: UrlConnection): void {
    const next = this.#waiting.shift() ?? ((item) => this.#free.push(item));
    next(connection);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#passing.forEach(({ client }) => void client.destroy(ended));
    await Promise.all([...this.#all].map((connection) => connection.client.close()));
  }

  #add(): UrlConnection {
    const connection = this.#connect();
    this.#all.add(connection);
    return connection;
  }
}

function toUndiciBody(content: Uint8Array | undefined, framing: Framing): Uint8Array | Readable | null {
  if (content === undefined || content.length === 0) return null;
  if (framing === 'content-length') return content;
  const pieces = splitContent(content);
  return Readable.from(framing === 'chunked' ? pieces : withPauses(pieces));
}

/** Returns whether undici would omit or change a part of the request; the raw socket sends it unchanged. */
function needsSocket({ method, headers }: HttpRequest): boolean {
  return (
    method === 'CONNECT' ||
    headers.some(([name]) => name.length === 10 && name.toLowerCase() === 'connection')
  );
}

/** The undici error codes for a request that it does not send, although it is allowed. */
const refusals: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);
const ended = new Error('The answer is no longer waited for.');

function toText(bytes: unknown): string {
  return Buffer.isBuffer(bytes) ? bytes.toString('latin1') : String(bytes);
}

interface AnswerExpectation {
  readonly connection: UrlConnection;
  readonly method: string;
  readonly path: string;
  /** The paths and media types of responses that are known to be streams. */
  readonly streams: Set<string>;
  /** `host:port` */
  readonly place: string;
  /** The remedy if the place is not reached, unless it is the service. */
  readonly remedy: string | undefined;
  readonly timeoutMs: number;
  /** The maximum number of content bytes to read. */
  readonly responseLimit: number;
  readonly signal: AbortSignal | undefined;
  readonly onTook: SendOptions['onTook'];
  readonly passesStreams: boolean;
  /** Receives the answer, or undefined if undici refuses to send the request; then nothing was sent. */
  readonly settle: (answer: Answer | undefined) => void;
}

/**
 * Turns the events that undici emits for one request into an answer, exactly once. The time-out starts when the request
 * is sent, because the wait for a free connection is not caused by the service.
 */
class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #expectation: AnswerExpectation;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #lastByteAt = 0;
  #status = 0;
  #headers: HeaderList = [];
  #body: Buffer[] = [];
  #length = 0;
  #isSettled = false;
  /** The content that passes on after the answer. */
  #passing: PassingStream | undefined;

  constructor(expectation: AnswerExpectation) {
    this.#expectation = expectation;
    abortListeners(expectation.signal).add(this.#onTime);
    if (expectation.signal?.aborted === true) {
      this.#onTime();
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isSettled) {
      controller.abort(ended);
      return;
    }
    const { connection, timeoutMs } = this.#expectation;
    connection.received = [];
    connection.uses += 1;
    connection.isAnswered = false;
    this.#controller = controller;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onTimeLimit, timeoutMs);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // An interim response precedes the final one.
    this.#status = status;
    const { rawHeaders } = controller;
    this.#headers = status >= 200 && Array.isArray(rawHeaders) ? toHeaderList(rawHeaders.map(toText)) : [];
    if (status < 200) return;
    const isEncoded = headerValue(this.#headers, 'content-encoding') !== undefined;
    if (this.#mayPass() && (this.#isKnownStream() || (!isEncoded && isStream(this.#headers, true)))) {
      this.#pass(controller);
    } else {
      this.#waitForEvents();
    }
  }

  #mayPass(): boolean {
    const { passesStreams, method } = this.#expectation;
    return passesStreams && method !== 'HEAD' && this.#status !== 204 && this.#status !== 304;
  }

  #isKnownStream(): boolean {
    return isStream(this.#headers) || this.#expectation.streams.has(this.#name());
  }

  /** Settles with a stream: the content that arrived so far, and all that follows. */
  #pass(controller: Dispatcher.DispatchController): void {
    const passing = createPassingStream(controller);
    this.#body.forEach((chunk) => passing.write(chunk));
    this.#passing = passing;
    const response = { status: this.#status, headers: this.#headers, body: new Uint8Array() };
    this.#settle({ kind: 'response', response, stream: passing.stream });
  }

  /** Gives a stream a moment for its first events. */
  #waitForEvents(): void {
    if (!this.#isKnownStream()) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#closeStream, eventWaits[this.#length > 0 ? 'more' : 'first']);
  }

  #name(): string {
    return `${this.#expectation.path.split('?', 1)[0] ?? ''} ${headerValue(this.#headers, 'content-type') ?? ''}`;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { responseLimit, connection } = this.#expectation;
    if (this.#passing !== undefined) {
      this.#passing.write(chunk);
      connection.received.splice(1);
      return;
    }
    this.#body.push(chunk);
    this.#length += chunk.length;
    this.#lastByteAt = performance.now();
    if (this.#body.length === 1) this.#waitForEvents();
    if (this.#length > responseLimit && this.#mayPass()) {
      this.#pass(controller);
    } else if (this.#length > responseLimit) {
      const body = Buffer.concat(this.#body);
      this.#settle({
        kind: 'response',
        response: cutResponse({ status: this.#status, headers: this.#headers, body }, responseLimit),
      });
      controller.abort(ended);
    }
  }

  onResponseEnd(): void {
    if (this.#passing !== undefined) {
      this.#passing.end();
      this.#forgetSignal();
      return;
    }
    const [first, ...others] = this.#body;
    const content = others.length === 0 ? (first ?? new Uint8Array()) : Buffer.concat(this.#body);
    const response = decodeContent(
      { status: this.#status, headers: this.#headers, body: content },
      this.#expectation.responseLimit,
    );
    this.#expectation.connection.isAnswered = true;
    this.#settle({ kind: 'response', response });
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#passing !== undefined) {
      const { signal } = this.#expectation;
      this.#passing.fail(
        signal?.aborted === true ? signal.reason : new TypeError('terminated', { cause: error }),
      );
      this.#forgetSignal();
      return;
    }
    if (this.#controller !== undefined) {
      this.#settle(this.#toFailure(error));
      return;
    }
    if (refusals.has(errorCode(error))) {
      this.#settle(undefined);
      return;
    }
    this.#settle(toUnreachable({ ...this.#expectation, error }));
  }

  readonly #onTimeLimit = (): void => {
    const { streams, timeoutMs } = this.#expectation;
    const isSending = this.#length > 0 && performance.now() - this.#lastByteAt < timeoutMs / 2;
    if (!isStream(this.#headers, isSending)) {
      this.#onTime();
      return;
    }
    streams.add(this.#name());
    if (this.#controller !== undefined && this.#mayPass()) this.#pass(this.#controller);
    else this.#closeStream();
  };

  readonly #closeStream = (): void => {
    const response = { status: this.#status, headers: this.#headers, body: Buffer.concat(this.#body) };
    this.#settle({ kind: 'response', response });
    this.#controller?.abort(ended);
  };

  readonly #onTime = (): void => {
    const afterMs = this.#controller === undefined ? 0 : Math.round(performance.now() - this.#startedAt);
    const received = this.#controller === undefined ? new Uint8Array() : this.#received();
    this.#settle({ kind: 'timed-out', afterMs, received });
    this.#controller?.abort(ended);
  };

  #received(): Uint8Array {
    return Buffer.concat(this.#expectation.connection.received);
  }

  #toFailure(error: Error): Answer {
    const { connection, method, place, remedy } = this.#expectation;
    const received = this.#received();
    if (received.length === 0 && isTlsAlert(connection.failure)) {
      return toUnreachable({ error: connection.failure, place, remedy });
    }
    const code = errorCode(error);
    if (code === 'UND_ERR_HEADERS_OVERFLOW') {
      return { kind: 'not-http', reason: 'its header section has no end in sight', received };
    }
    // undici rejects valid responses: 101, a status below 100, two equal lengths, and a length beside chunks.
    const reading = readHttpResponse({ bytes: received, method, ended: false });
    if (reading.kind === 'response') {
      return { kind: 'response', response: decodeContent(reading.response, this.#expectation.responseLimit) };
    }
    // The parser also has a code for a connection that ends in the middle of a response.
    if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
      return { kind: 'not-http', reason: error.message, received };
    }
    if (reading.kind === 'not-http') return { kind: 'not-http', reason: reading.reason, received };
    const reason = describeDrop(error, received, method);
    const isStale = connection.uses > 1 && received.length === 0;
    return { kind: 'dropped', reason: isStale ? noteStaleConnection(reason) : reason, received };
  }

  #settle(answer: Answer | undefined): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    const { connection, onTook } = this.#expectation;
    if (this.#controller !== undefined) onTook?.(performance.now() - this.#startedAt);
    // Only the answer keeps the received data. In the middle of a response, the connection still needs its first bytes.
    connection.received.splice(this.#passing === undefined ? 0 : 1);
    this.#body = [];
    if (this.#passing === undefined) this.#forgetSignal();
    this.#expectation.settle(answer);
  }

  #forgetSignal(): void {
    abortListeners(this.#expectation.signal).delete(this.#onTime);
  }
}
