import { abortListeners } from './abort-listeners.ts';
import type { Dispatcher } from 'undici';
import type { Answer } from './answer.ts';
import { decodeContent } from './decode-content.ts';
import { describeConnectionFailure } from './describe-connection-failure.ts';
import { describeDrop } from './describe-drop.ts';
import { errorCode } from './error-code.ts';
import type { HeaderList } from './header-list.ts';
import { cutResponse } from './http-response.ts';
import { readHttpResponse } from './read-http-response.ts';
import { noteStaleConnection } from './stale-connection.ts';
import type { UrlConnection } from './prepare-url-connections.ts';

/** What undici says of a request that it will not write, though it may be sent. */
const refusals: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);
const ended = new Error('The answer is no longer waited for.');

/** One character a byte, as a {@link HeaderList} has it. */
function toText(bytes: unknown): string {
  return Buffer.isBuffer(bytes) ? bytes.toString('latin1') : String(bytes);
}

function toHeaderList(rawHeaders: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  const headers: (readonly [string, string])[] = [];
  if (!Array.isArray(rawHeaders)) {
    return headers;
  }
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([toText(rawHeaders[index]), toText(rawHeaders[index + 1])]);
  }
  return headers;
}

/** What an {@link AnswerHandler} is made from. */
export interface AnswerExpectation {
  readonly connection: UrlConnection;
  readonly method: string;
  /** `host:port` */
  readonly place: string;
  readonly timeoutMs: number;
  /** How many bytes of content are read. */
  readonly responseLimit: number;
  readonly signal: AbortSignal | undefined;
  /** Takes the answer, or undefined where undici refuses to write the request; nothing was sent then. */
  readonly settle: (answer: Answer | undefined) => void;
}

/**
 * Turns what undici tells of one request into an answer, exactly once. The time-out counts from when the
 * request leaves: the wait for a free connection is not the fault of the service.
 *
 * @internal
 */
export class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #expectation: AnswerExpectation;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #status = 0;
  #headers: HeaderList = [];
  #body: Buffer[] = [];
  #length = 0;
  #isSettled = false;

  constructor(expectation: AnswerExpectation) {
    this.#expectation = expectation;
    if (expectation.signal !== undefined) {
      abortListeners(expectation.signal).add(this.#onTime);
    }
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
    this.#timer = setTimeout(this.#onTime, timeoutMs);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // An interim answer comes before the one that counts.
    this.#status = status;
    this.#headers = status < 200 ? [] : toHeaderList(controller.rawHeaders);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { responseLimit } = this.#expectation;
    this.#body.push(chunk);
    this.#length += chunk.length;
    if (this.#length > responseLimit) {
      const body = Buffer.concat(this.#body);
      this.#settle({
        kind: 'response',
        response: cutResponse({ status: this.#status, headers: this.#headers, body }, responseLimit),
      });
      controller.abort(ended);
    }
  }

  onResponseEnd(): void {
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
    if (this.#controller !== undefined) {
      this.#settle(this.#toFailure(error));
      return;
    }
    if (refusals.has(errorCode(error))) {
      this.#settle(undefined);
      return;
    }
    const { place, timeoutMs } = this.#expectation;
    this.#settle({ kind: 'unreachable', reason: describeConnectionFailure({ error, place, timeoutMs }) });
  }

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
    const { connection, method } = this.#expectation;
    const received = this.#received();
    const code = errorCode(error);
    if (code === 'UND_ERR_HEADERS_OVERFLOW') {
      return { kind: 'not-http', reason: 'its header section has no end in sight', received };
    }
    // undici gives up on 101, a status below 100, two lengths alike, and a length beside chunks: answers all.
    const reading = readHttpResponse({ bytes: received, method, ended: false });
    if (reading.kind === 'response') {
      return { kind: 'response', response: decodeContent(reading.response, this.#expectation.responseLimit) };
    }
    // The parser also has a code for the end of the connection in the middle of an answer.
    if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
      return { kind: 'not-http', reason: error.message, received };
    }
    if (reading.kind === 'not-http') {
      return { kind: 'not-http', reason: reading.reason, received };
    }
    const reason = describeDrop({ error, received, method });
    const isStale = connection.uses > 1 && received.length === 0;
    return { kind: 'dropped', reason: isStale ? noteStaleConnection(reason) : reason, received };
  }

  #settle(answer: Answer | undefined): void {
    if (this.#isSettled) {
      return;
    }
    this.#isSettled = true;
    clearTimeout(this.#timer);
    const { connection, signal } = this.#expectation;
    // What came of an answer is kept by the answer alone.
    connection.received = [];
    this.#body = [];
    if (signal !== undefined) {
      abortListeners(signal).delete(this.#onTime);
    }
    this.#expectation.settle(answer);
  }
}
