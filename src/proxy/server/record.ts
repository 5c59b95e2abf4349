import type { IncomingMessage } from 'node:http';
import { noteStaleConnection } from '../../http/connect.ts';
import { decodeContent } from '../../http/content-coding.ts';
import { describeDrop } from '../../http/failures.ts';
import {
  type Answer,
  type Framing,
  type HttpRequest,
  isSafeMethod,
  toHeaderList,
  usualResponseLimit,
} from '../../http/message.ts';
import { readHttpResponse } from '../../http/parse-response.ts';
import type { Traffic } from '../traffic.ts';
import type { ParseError } from './connection.ts';
import { renderFields } from './message.ts';

/** The content of a message, kept as it passes as far as it is short enough. */
class CapturedContent {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether more has passed than is kept; then nothing is. */
  get isTooLong(): boolean {
    return this.#length > this.#limit;
  }

  take(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.isTooLong) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  /** Keeps nothing of what passes from here on: it has no end that is waited for. */
  giveUp(): void {
    this.#chunks = [];
    this.#length = Infinity;
  }

  bytes(): Uint8Array {
    const [first, ...others] = this.#chunks;
    return first !== undefined && others.length === 0 ? first : Buffer.concat(this.#chunks);
  }
}

/** So long it judges before it lets what has come in the meantime pass, in milliseconds. */
const longestTurnMs = 1;
/** So many exchanges may wait; past it, traffic waits for the judge, as memory is not without end. */
const mostWaiting = 1_000;

/** Takes the content coding off an answer, which it travelled in. */
function decode(traffic: Traffic): Traffic {
  const { answer } = traffic.exchange;
  if (traffic.unjudged !== undefined || answer.kind !== 'response') return traffic;
  const response = decodeContent(answer.response, usualResponseLimit);
  return { ...traffic, exchange: { ...traffic.exchange, answer: { ...answer, response } } };
}

/**
 * Creates a queue that judges between the events of the network, so that no answer waits for the judgement of
 * another; `flush` judges all that waits. The judge gets exchanges without their content coding, and must not throw.
 */
export function createJudgingQueue(judge: (traffic: Traffic) => void): {
  readonly add: (traffic: Traffic) => void;
  readonly flush: () => void;
} {
  let waiting: Traffic[] = [];
  let isDue = false;

  function judgeUntil(isEnough: (judged: number) => boolean): void {
    let judged = 0;
    for (const traffic of waiting) {
      judged += 1;
      judge(decode(traffic));
      if (isEnough(judged)) break;
    }
    waiting = waiting.slice(judged);
  }

  function turn(): void {
    isDue = false;
    const endsAt = performance.now() + longestTurnMs;
    judgeUntil((judged) => waiting.length - judged < mostWaiting && performance.now() >= endsAt);
    plan();
  }

  function plan(): void {
    if (!isDue && waiting.length > 0) {
      isDue = true;
      setImmediate(turn);
    }
  }

  return {
    add(traffic) {
      waiting.push(traffic);
      plan();
    },
    flush: () => judgeUntil(() => false),
  };
}

/** How an exchange ended. */
type ExchangeEnd =
  /** The whole answer has passed. */
  | { readonly kind: 'answered' }
  /** The service ended the connection before that; stale: one that had carried answers before this request. */
  | { readonly kind: 'dropped'; readonly error: unknown; readonly isStale: boolean }
  | ({ readonly kind: 'not-http' } & ParseError)
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** Something came of it that is no exchange between the client and the service. */
  | { readonly kind: 'left'; readonly why: string };

interface WatchedRequest {
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
  readonly onEnd: (traffic: Traffic) => void;
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
  /** Whether one of the two may change something. */
  isBesideChange = false;

  constructor(request: WatchedRequest) {
    this.#request = request;
    this.#sent = new CapturedContent(request.limit);
    this.#received = new CapturedContent(request.limit);
  }

  get number(): number {
    return this.#request.number;
  }

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

  takeReceived(chunk: Uint8Array): void {
    this.#received.take(chunk);
  }

  /** Notes what came on the connection after the end of the answer. */
  takeTrailing(bytes: Uint8Array | undefined): void {
    this.#trailing = bytes;
  }

  /** Ends the exchange; only the first end counts. */
  end(end: ExchangeEnd): void {
    if (this.#isEnded) return;
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
    this.#unjudged ??= this.#whyUnjudged(end);
    this.#unjudged ??= isTooLong ? `its content is longer than ${renderBytes(limit)}` : undefined;
    onEnd({
      number,
      exchange: { request, answer: this.#toAnswer(end), durationMs: performance.now() - this.#begunAt },
      framing,
      startedAt: this.#startedAt,
      isSideBySide: this.isSideBySide,
      isBesideChange: this.isBesideChange,
      unjudged: this.#unjudged,
    });
  }

  #toAnswer(end: ExchangeEnd): Answer {
    const { kind } = end;
    if (kind === 'unreachable') return { kind, reason: end.reason };
    if (kind === 'not-http') return { kind, reason: end.reason, received: this.#unparsed(end) };
    if (kind === 'left') return { kind: 'dropped', reason: end.why, received: this.#receivedSoFar() };
    if (kind === 'dropped') {
      const received = this.#receivedSoFar();
      const reason = describeDrop(end.error, received, this.#request.method);
      const isStale = end.isStale && received.length === 0;
      return { kind, reason: isStale ? noteStaleConnection(reason) : reason, received };
    }
    const { statusCode: status = 0, rawHeaders = [] } = this.#head ?? {};
    return {
      kind: 'response',
      response: { status, headers: toHeaderList(rawHeaders), body: this.#received.bytes() },
      ...(this.#trailing === undefined ? {} : { trailing: this.#trailing }),
    };
  }

  /** The answer as far as it came, as it was before its transfer coding was taken off. */
  #receivedSoFar(): Uint8Array {
    if (this.#head === undefined) return new Uint8Array();
    const { httpVersion, statusCode = 0, statusMessage = '', rawHeaders } = this.#head;
    const fields = renderFields(toHeaderList(rawHeaders));
    const head = `HTTP/${httpVersion} ${statusCode} ${statusMessage}\r\n${fields}\r\n`;
    const body = this.#received.bytes();
    const isChunked = /\bchunked\s*$/iu.test(this.#head.headers['transfer-encoding'] ?? '');
    const [size, after] =
      isChunked && body.length > 0 ? [`${body.length.toString(16)}\r\n`, '\r\n'] : ['', ''];
    return Buffer.concat([Buffer.from(`${head}${size}`, 'latin1'), body, Buffer.from(after)]);
  }

  /** What is no HTTP, from its beginning as far as that is known. */
  #unparsed({ packet, unread }: ParseError): Uint8Array {
    return this.#head === undefined ? packet : Buffer.concat([this.#receivedSoFar(), unread]);
  }

  #whyUnjudged(end: ExchangeEnd): string | undefined {
    if (end.kind === 'not-http') return this.#whyUnread(this.#unparsed(end));
    if (end.kind === 'unreachable') return 'the service could not be reached';
    if (end.kind === 'left') return end.why;
    // It may have been idle for too long: whether that is so cannot be known from one request.
    const isStale = end.kind === 'dropped' && end.isStale;
    return isStale ? 'the service closed a connection that had been idle as the request left' : undefined;
  }

  /** Node's parser refuses more than the standard does, such as a length beside chunks (RFC 9112 §6.3). */
  #whyUnread(bytes: Uint8Array): string | undefined {
    const reading = readHttpResponse({ bytes, method: this.#request.method, ended: false });
    return bytes.length > 0 && reading.kind !== 'not-http'
      ? 'the proxy cannot read its answer, which breaks no rule that is judged'
      : undefined;
  }
}

/** Numbers the exchanges that pass, and sees which of them are under way side by side. */
export class Watch {
  readonly #limit: number;
  readonly #take: (traffic: Traffic) => void;
  #count = 0;
  #underWay = 0;
  /** How many of those may change something. */
  #changes = 0;
  /** Those that nothing was beside so far. */
  readonly #alone = new Set<WatchedExchange>();
  /** Those that no change was beside so far. */
  readonly #undisturbed = new Set<WatchedExchange>();

  /** Of each side of an exchange so many bytes of content are kept at most; `take` gets it when it has ended. */
  constructor(limit: number, take: (traffic: Traffic) => void) {
    this.#limit = limit;
    this.#take = take;
  }

  /** Notes a request that is forwarded. */
  begin(request: Pick<WatchedRequest, 'method' | 'target' | 'fields' | 'framing'>): WatchedExchange {
    const exchange = this.#create(request, (traffic) => {
      this.#underWay -= 1;
      this.#changes -= changes;
      this.#alone.delete(exchange);
      this.#undisturbed.delete(exchange);
      this.#take(traffic);
    });
    const changes = isSafeMethod(request.method) ? 0 : 1;
    const others = this.#underWay;
    exchange.isSideBySide = others > 0;
    exchange.isBesideChange = changes === 1 ? others > 0 : this.#changes > 0;
    for (const other of this.#alone) other.isSideBySide = true;
    this.#alone.clear();
    if (changes === 1) {
      for (const other of this.#undisturbed) other.isBesideChange = true;
      this.#undisturbed.clear();
    }
    if (!exchange.isSideBySide) this.#alone.add(exchange);
    if (!exchange.isBesideChange) this.#undisturbed.add(exchange);
    this.#underWay += 1;
    this.#changes += changes;
    return exchange;
  }

  /** Notes a request that reaches nobody; it is never beside another, as the service does not see it. */
  turnAway(request: Pick<WatchedRequest, 'method' | 'target'>, why: string): void {
    const exchange = this.#create({ ...request, fields: [], framing: 'content-length' }, this.#take);
    exchange.end({ kind: 'left', why });
  }

  #create(
    request: Omit<WatchedRequest, 'number' | 'limit' | 'onEnd'>,
    onEnd: (traffic: Traffic) => void,
  ): WatchedExchange {
    this.#count += 1;
    return new WatchedExchange({ ...request, number: this.#count, limit: this.#limit, onEnd });
  }
}

const units = Object.entries({ MiB: 1_024 * 1_024, KiB: 1_024 });

/** A number of bytes in words: `1 MiB`. */
function renderBytes(bytes: number): string {
  const [unit, size] = units.find(([, each]) => bytes >= each && bytes % each === 0) ?? ['bytes', 1];
  return `${bytes / size} ${unit}`;
}
