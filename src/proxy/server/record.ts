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

/** The content of a message, which is kept while it passes if it is short enough. */
class CapturedContent {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether more has passed than the limit; then nothing is kept. */
  get isTooLong(): boolean {
    return this.#length > this.#limit;
  }

  take(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.isTooLong) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  /** Stops keeping content: its end is not awaited. */
  giveUp(): void {
    this.#chunks = [];
    this.#length = Infinity;
  }

  bytes(): Uint8Array {
    const [first, ...others] = this.#chunks;
    return first !== undefined && others.length === 0 ? first : Buffer.concat(this.#chunks);
  }
}

/** Maximum time to judge before the network events of the meantime are handled, in milliseconds. */
const longestTurnMs = 1;
/** Maximum number of waiting exchanges, because memory is limited; beyond it, traffic waits for the judge. */
const mostWaiting = 1_000;

/** Removes the content coding of a response. */
function decode(traffic: Traffic): Traffic {
  const { answer } = traffic.exchange;
  if (traffic.unjudged !== undefined || answer.kind !== 'response') return traffic;
  const response = decodeContent(answer.response, usualResponseLimit);
  return { ...traffic, exchange: { ...traffic.exchange, answer: { ...answer, response } } };
}

/**
 * Creates a queue that judges between network events: no response waits for the judgement of another. `flush` judges
 * all waiting exchanges. The judge receives exchanges without their content coding, and must not throw.
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

/** The end of an exchange. */
type ExchangeEnd =
  /** The whole response has passed. */
  | { readonly kind: 'answered' }
  /** The service ended the connection before that; stale: the connection had carried earlier responses. */
  | { readonly kind: 'dropped'; readonly error: unknown; readonly isStale: boolean }
  | ({ readonly kind: 'not-http' } & ParseError)
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The result is no exchange between the client and the service. */
  | { readonly kind: 'left'; readonly why: string };

interface WatchedRequest {
  readonly number: number;
  readonly method: string;
  /** The target below the base URL. */
  readonly target: string;
  /** Alternating names and values, without those of one connection. */
  readonly fields: readonly string[];
  readonly framing: Framing;
  /** Maximum number of bytes of content to keep of each side. */
  readonly limit: number;
  /** Called once, when the exchange has ended. */
  readonly onEnd: (traffic: Traffic) => void;
}

/** Fields that the sending code writes itself, which are no part of a request (see HttpRequest). */
const ofTheSend: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding']);

/** An exchange that passes through the proxy, recorded for the judge. */
export class WatchedExchange {
  readonly #request: WatchedRequest;
  readonly #sent: CapturedContent;
  readonly #received: CapturedContent;
  readonly #startedAt = Date.now();
  readonly #begunAt = performance.now();
  #head: IncomingMessage | undefined;
  #trailing: Uint8Array | undefined;
  #unchecked: string | undefined;
  #isEnded = false;
  /** Whether one of two requests that are in flight at the same time may change something. */
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

  /** Records the head of the response. */
  takeHead(answer: IncomingMessage): void {
    this.#head = answer;
    if (/^text\/event-stream\b/iu.test(answer.headers['content-type'] ?? '')) {
      this.#received.giveUp();
      this.#unchecked = 'its answer is a stream of events';
    }
  }

  takeReceived(chunk: Uint8Array): void {
    this.#received.take(chunk);
  }

  /** Records bytes on the connection after the end of the response. */
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
    this.#unchecked ??= this.#whyUnchecked(end);
    this.#unchecked ??= isTooLong ? `its content is longer than ${renderBytes(limit)}` : undefined;
    onEnd({
      number,
      exchange: { request, answer: this.#toAnswer(end), durationMs: performance.now() - this.#begunAt },
      framing,
      startedAt: this.#startedAt,
      isBesideChange: this.isBesideChange,
      unjudged: this.#unchecked,
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

  /** Returns the received part of the response, with its transfer coding. */
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

  /** Returns the bytes that are not HTTP, from their beginning if that is known. */
  #unparsed({ packet, remaining }: ParseError): Uint8Array {
    return this.#head === undefined ? packet : Buffer.concat([this.#receivedSoFar(), remaining]);
  }

  #whyUnchecked(end: ExchangeEnd): string | undefined {
    if (end.kind === 'not-http') return this.#whyNotRead(this.#unparsed(end));
    if (end.kind === 'unreachable') return 'the service could not be reached';
    if (end.kind === 'left') return end.why;
    // The connection may have been idle for too long, which one request cannot show.
    const isStale = end.kind === 'dropped' && end.isStale;
    return isStale ? 'the service closed a connection that had been idle as the request left' : undefined;
  }

  /** Explains bytes that only Node's parser rejects, for example a length beside chunks (RFC 9112 §6.3). */
  #whyNotRead(bytes: Uint8Array): string | undefined {
    const reading = readHttpResponse({ bytes, method: this.#request.method, ended: false });
    return bytes.length > 0 && reading.kind !== 'not-http'
      ? 'the proxy cannot read its answer, which breaks no rule that is judged'
      : undefined;
  }
}

/** Numbers the exchanges that pass, and detects which of them are in flight at the same time. */
export class Watch {
  readonly #limit: number;
  readonly #take: (traffic: Traffic) => void;
  #count = 0;
  #underWay = 0;
  /** The number of exchanges in flight that may change something. */
  #changes = 0;
  /** The exchanges that no change has overlapped so far. */
  readonly #undisturbed = new Set<WatchedExchange>();

  /** `limit` is the maximum number of bytes to keep of each side; `take` gets each exchange when it has ended. */
  constructor(limit: number, take: (traffic: Traffic) => void) {
    this.#limit = limit;
    this.#take = take;
  }

  /** Records a request that is forwarded. */
  begin(request: Pick<WatchedRequest, 'method' | 'target' | 'fields' | 'framing'>): WatchedExchange {
    const exchange = this.#create(request, (traffic) => {
      this.#underWay -= 1;
      this.#changes -= changes;
      this.#undisturbed.delete(exchange);
      this.#take(traffic);
    });
    const changes = isSafeMethod(request.method) ? 0 : 1;
    const others = this.#underWay;
    exchange.isBesideChange = changes === 1 ? others > 0 : this.#changes > 0;
    if (changes === 1) {
      for (const other of this.#undisturbed) other.isBesideChange = true;
      this.#undisturbed.clear();
    }
    if (!exchange.isBesideChange) this.#undisturbed.add(exchange);
    this.#underWay += 1;
    this.#changes += changes;
    return exchange;
  }

  /** Records a request that is not forwarded. It overlaps no other, because the service does not see it. */
  reject(request: Pick<WatchedRequest, 'method' | 'target'>, why: string): void {
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

/** Formats a number of bytes in words: `1 MiB`. */
function renderBytes(bytes: number): string {
  const [unit, size] = units.find(([, each]) => bytes >= each && bytes % each === 0) ?? ['bytes', 1];
  return `${bytes / size} ${unit}`;
}
