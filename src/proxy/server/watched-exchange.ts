import type { IncomingMessage } from 'node:http';
import type { Answer } from '../../http/answer.ts';
import { describeDrop } from '../../http/describe-drop.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import type { Framing } from '../../http/send.ts';
import { readHttpResponse } from '../../http/read-http-response.ts';
import { noteStaleConnection } from '../../http/stale-connection.ts';
import { renderBytes } from '../render-bytes.ts';
import type { Traffic } from '../traffic.ts';
import { CapturedContent } from './captured-content.ts';
import type { ParseError } from './read-parse-error.ts';
import { toHeaderList } from './to-header-list.ts';

/** How an exchange ended. */
export type ExchangeEnd =
  /** The whole answer has passed. */
  | { readonly kind: 'answered' }
  /** The service ended the connection before that; stale: one that had carried answers before this request. */
  | { readonly kind: 'dropped'; readonly error: unknown; readonly isStale: boolean }
  | ({ readonly kind: 'not-http' } & ParseError)
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** Something came of it that is no exchange between the client and the service. */
  | { readonly kind: 'left'; readonly why: string };

/** What a {@link WatchedExchange} is made from. */
export interface WatchedRequest {
  readonly number: number;
  readonly method: string;
  /** Below the base URL. */
  readonly target: string;
  /** Names and values in turn, without those of one connection. */
  readonly fields: readonly string[];
  readonly framing: Framing;
  /** The most bytes of content that are kept of each side. */
  readonly limit: number;
  /** Told once, when the exchange has ended. */
  readonly onEnd: (exchange: WatchedExchange, traffic: Traffic) => void;
}

/** What a send writes of itself, so that it is no part of a request (see HttpRequest). */
const ofTheSend: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding']);

/** An exchange that passes through the proxy, noted for the judge. */
export class WatchedExchange {
  readonly #request: WatchedRequest;
  readonly #sent: CapturedContent;
  readonly #received: CapturedContent;
  readonly #startedAt = Date.now();
  readonly #begunAt = performance.now();
  #head: IncomingMessage | undefined;
  #trailing: Uint8Array | undefined;
  #unjudged: string | undefined;
  #isEnded = false;
  /** Whether another request was under way meanwhile. */
  isSideBySide = false;

  constructor(request: WatchedRequest) {
    this.#request = request;
    this.#sent = new CapturedContent(request.limit);
    this.#received = new CapturedContent(request.limit);
  }

  get number(): number {
    return this.#request.number;
  }

  /** Notes a piece of the content of the request. */
  takeSent(chunk: Uint8Array): void {
    this.#sent.take(chunk);
  }

  /** Notes that the answer begins. */
  takeHead(answer: IncomingMessage): void {
    this.#head = answer;
    if (/^text\/event-stream\b/iu.test(answer.headers['content-type'] ?? '')) {
      this.#received.giveUp();
      this.#unjudged = 'its answer is a stream of events';
    }
  }

  /** Notes a piece of the content of the answer. */
  takeReceived(chunk: Uint8Array): void {
    this.#received.take(chunk);
  }

  /** Notes what came on the connection after the end of the answer. */
  takeTrailing(bytes: Uint8Array | undefined): void {
    this.#trailing = bytes;
  }

  /** Ends the exchange; only the first end counts. */
  end(end: ExchangeEnd): void {
    if (this.#isEnded) {
      return;
    }
    this.#isEnded = true;
    const { number, method, target, fields, framing, limit, onEnd } = this.#request;
    const body = this.#sent.bytes();
    const request: HttpRequest = {
      method,
      target,
      headers: toHeaderList(fields).filter(([name]) => !ofTheSend.has(name.toLowerCase())),
      body: body.length === 0 ? undefined : body,
    };
    const isTooLong = this.#sent.isTooLong || this.#received.isTooLong;
    this.#unjudged ??= whyUnjudged(end) ?? (end.kind === 'not-http' ? this.#whyTaken(end) : undefined);
    this.#unjudged ??= isTooLong ? `its content is longer than ${renderBytes(limit)}` : undefined;
    onEnd(this, {
      number,
      exchange: { request, answer: this.#toAnswer(end), durationMs: performance.now() - this.#begunAt },
      framing,
      startedAt: this.#startedAt,
      isSideBySide: this.isSideBySide,
      unjudged: this.#unjudged,
    });
  }

  #toAnswer(end: ExchangeEnd): Answer {
    switch (end.kind) {
      case 'answered': {
        const { statusCode: status = 0, rawHeaders = [] } = this.#head ?? {};
        return {
          kind: 'response',
          response: { status, headers: toHeaderList(rawHeaders), body: this.#received.bytes() },
          ...(this.#trailing === undefined ? {} : { trailing: this.#trailing }),
        };
      }
      case 'dropped': {
        const received = this.#receivedSoFar();
        const reason = describeDrop({ error: end.error, received, method: this.#request.method });
        const isStale = end.isStale && received.length === 0;
        return { kind: 'dropped', reason: isStale ? noteStaleConnection(reason) : reason, received };
      }
      case 'not-http':
        return { kind: 'not-http', reason: end.reason, received: this.#unparsed(end) };
      case 'unreachable':
        return { kind: 'unreachable', reason: end.reason };
      case 'left':
        return { kind: 'dropped', reason: end.why, received: this.#receivedSoFar() };
    }
  }

  /** The answer as far as it came, as it was before its transfer coding was taken off. */
  #receivedSoFar(): Uint8Array {
    if (this.#head === undefined) {
      return new Uint8Array();
    }
    const { httpVersion, statusCode = 0, statusMessage = '', rawHeaders } = this.#head;
    const fields = toHeaderList(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `HTTP/${httpVersion} ${statusCode} ${statusMessage}\r\n${fields.join('')}\r\n`;
    const body = this.#received.bytes();
    const isChunked = /\bchunked\s*$/iu.test(this.#head.headers['transfer-encoding'] ?? '');
    const size = isChunked && body.length > 0 ? [`${body.length.toString(16)}\r\n`, '\r\n'] : ['', ''];
    return Buffer.concat([
      Buffer.from(`${head}${size[0]}`, 'latin1'),
      body,
      Buffer.from(size[1] ?? '', 'latin1'),
    ]);
  }

  /** What is no HTTP, from its beginning as far as that is known. */
  #unparsed({ packet, unread }: ParseError): Uint8Array {
    return this.#head === undefined ? packet : Buffer.concat([this.#receivedSoFar(), unread]);
  }

  /** Node's parser refuses more than the standard does, such as a length beside chunks (RFC 9112 §6.3). */
  #whyTaken(end: ParseError): string | undefined {
    const bytes = this.#unparsed(end);
    const reading = readHttpResponse({ bytes, method: this.#request.method, ended: false });
    return bytes.length > 0 && reading.kind !== 'not-http'
      ? 'the proxy cannot read its answer, which breaks no rule that is judged'
      : undefined;
  }
}

function whyUnjudged(end: ExchangeEnd): string | undefined {
  switch (end.kind) {
    case 'answered':
    case 'not-http':
      return undefined;
    case 'dropped':
      // It may have been idle for too long: whether that is so cannot be known from one request.
      return end.isStale
        ? 'the service closed a connection that had been idle as the request left'
        : undefined;
    case 'unreachable':
      return 'the service could not be reached';
    case 'left':
      return end.why;
  }
}
