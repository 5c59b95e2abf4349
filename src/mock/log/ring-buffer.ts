import type { Contract } from '../../contract/contract.ts';
import type { AnswerNote, LoggedRequest, MockResponse, RequestContent } from '../message.ts';

const encoder = new TextEncoder();

/** Returns the length of content in bytes; a text counts as UTF-8. */
export function bytesOf(content: string | Uint8Array | undefined): number {
  return typeof content === 'string' ? encoder.encode(content).length : (content?.length ?? 0);
}

/** The context for reading the requests under one contract. */
export interface LogContext {
  readonly contract: Contract;
  /** The secrets that the log must never show. */
  readonly tokens: readonly string[];
}

/** A request as stored in the log: raw, because storing must be cheap. Reading costs more. */
export interface RawRequest extends Pick<LoggedRequest, 'time' | 'durationMs' | 'method' | 'target'> {
  /** The id; 0 until the log sets it. */
  id: number;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  /** `not-read` if the head decided the response and the content did not arrive with it. */
  readonly content: RequestContent | 'not-read';
  readonly answer: MockResponse;
  /** The lengths in bytes of contents that were left out because they are larger than the log. */
  readonly leftOut: { readonly request?: number; readonly response?: number } | undefined;
  readonly context: LogContext;
}

/** The largest content that is copied, in bytes. */
export const mostShelved = 4096;
const blockBytes = 4 * mostShelved;

/** The data that the requests of a log share, in few objects, as the garbage collector moves each of them twice. */
export class RequestArena {
  /** The time that request times are relative to, in milliseconds since 1970: small numbers need no heap objects. */
  readonly since: number;
  /** The block with the latest content. It is freed when no request has content in it any more. */
  block: Uint8Array = new Uint8Array();
  #used = 0;
  #target = '';
  #fields: readonly string[] = [];
  #text = '';

  constructor(since: number) {
    this.since = since;
  }

  /**
   * Appends a copy of content of at most {@link mostShelved} bytes, and returns its start in {@link block}. Without a
   * copy, the whole buffer that Node read from a socket would stay in memory.
   */
  put(content: Uint8Array): number {
    if (this.#used + content.length > this.block.length) {
      this.block = new Uint8Array(blockBytes);
      this.#used = 0;
    }
    const start = this.#used;
    this.block.set(content, start);
    this.#used = start + content.length;
    return start;
  }

  /** Returns the target of the previous request if it is the same text. */
  shareTarget(target: string): string {
    if (target !== this.#target) this.#target = target;
    return this.#target;
  }

  /** Joins fields into one text; returns that of the previous request if they are the same, as in most clients. */
  joinFields(fields: readonly string[]): string {
    const former = this.#fields;
    if (fields.length !== former.length || fields.some((field, index) => field !== former[index])) {
      this.#fields = fields;
      this.#text = fields.join(separator);
    }
    return this.#text;
  }
}

/** The estimated size of a request on Node 20, without its texts and bytes. */
const requestOverhead = 300;

/** A character that no field contains (RFC 9110 §5.5). */
const separator = '\0';

/**
 * A request as kept in the log, in as few objects as possible: the garbage collector moves each of them twice before it
 * stays in place. The other objects are created on access.
 */
export class KeptRequest implements RawRequest {
  readonly id: number;
  readonly method: string;
  readonly target: string;
  readonly leftOut: RawRequest['leftOut'];
  readonly context: LogContext;
  /** Its approximate size in memory, in bytes. */
  readonly size: number;
  readonly #shelf: RequestArena;
  /** The time in milliseconds since the start of the arena. */
  readonly #offset: number;
  /** The duration in microseconds. */
  readonly #duration: number;
  readonly #fields: string;
  /** The block that contains its content. */
  readonly #block: RequestContent | 'not-read';
  readonly #start: number;
  readonly #length: number;
  readonly #status: number;
  readonly #headers: readonly string[];
  readonly #body: MockResponse['body'];
  readonly #note: AnswerNote;

  constructor(request: RawRequest, arena: RequestArena) {
    const { target, content, answer } = request;
    const { headers, body, note } = answer;
    this.id = request.id;
    this.#shelf = arena;
    this.#offset = request.time - arena.since;
    this.#duration = Math.round(request.durationMs * 1000);
    this.method = request.method;
    this.target = arena.shareTarget(target);
    this.leftOut = request.leftOut;
    this.context = request.context;
    this.#fields = arena.joinFields(request.fields);
    this.#length = content === undefined || typeof content === 'string' ? 0 : content.length;
    if (content === undefined || typeof content === 'string' || content.length > mostShelved) {
      this.#block = content;
      this.#start = 0;
    } else {
      this.#start = arena.put(content);
      this.#block = arena.block;
    }
    this.#status = answer.status;
    this.#headers = headers;
    this.#body = body;
    this.#note = note;
    const texts = target.length + this.#fields.length + (note.message?.length ?? 0);
    // The problems with a body are created on access, from the parsed value.
    const contents = this.#length * (note.problems === undefined ? 1 : 5) + (body?.length ?? 0);
    this.size = requestOverhead + texts + contents + headers.length * 8;
  }

  get time(): number {
    return this.#shelf.since + this.#offset;
  }

  get durationMs(): number {
    return this.#duration / 1000;
  }

  get fields(): readonly string[] {
    return this.#fields === '' ? [] : this.#fields.split(separator);
  }

  get content(): RawRequest['content'] {
    const block = this.#block;
    return block === undefined || typeof block === 'string'
      ? block
      : block.subarray(this.#start, this.#start + this.#length);
  }

  get answer(): MockResponse {
    return { status: this.#status, headers: this.#headers, body: this.#body, note: this.#note };
  }
}

/** The number of free entries at the front of the list from which they are released. */
const mostFree = 1024;

function withoutContent(request: RawRequest): RawRequest {
  const { content, answer } = request;
  if (content === undefined || typeof content === 'string') return request;
  // The problems read the content, so they are created before it is removed.
  const problems = answer.note.problems?.();
  const note = problems === undefined ? answer.note : { ...answer.note, problems: () => problems };
  return {
    ...request,
    content: undefined,
    answer: { ...answer, note },
    leftOut: { request: content.length },
  };
}

function withoutBody(request: RawRequest): RawRequest {
  const { answer, leftOut } = request;
  return {
    ...request,
    answer: { ...answer, body: undefined },
    leftOut: { ...leftOut, response: bytesOf(answer.body) },
  };
}

/** The requests in the order of their ids, bounded in bytes; `dropped`, `first` and `last` as in RequestLog. */
export class RequestRing {
  /** The approximate maximum size of all requests in memory, in bytes. */
  readonly #maxBytes: number;
  #requests: (KeptRequest | undefined)[] = [];
  #arena: RequestArena | undefined;
  /** The index of the oldest request; its id is the next id minus the number of entries after it. */
  #start = 0;
  #nextId = 1;
  #bytes = 0;
  dropped = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Sets the id of a request, and removes the oldest requests if there is no room. */
  add(request: RawRequest): void {
    request.id = this.#nextId;
    this.#nextId += 1;
    this.#arena ??= new RequestArena(request.time);
    let kept = new KeptRequest(request, this.#arena);
    if (kept.size > this.#maxBytes) kept = this.#reduce(request, this.#arena);
    this.#requests.push(kept);
    this.#bytes += kept.size;
    while (this.#bytes > this.#maxBytes) this.#dropOldest();
  }

  get(id: number): RawRequest | undefined {
    return this.#requests[this.#requests.length - (this.#nextId - id)];
  }

  /** Lists the requests, the oldest first. */
  list(): readonly RawRequest[] {
    return this.#requests.slice(this.#start).filter((request) => request !== undefined);
  }

  get first(): number {
    const { length } = this.#requests;
    return this.#start < length ? this.#nextId - (length - this.#start) : 0;
  }

  get last(): number {
    return this.#start < this.#requests.length ? this.#nextId - 1 : 0;
  }

  clear(): void {
    this.#requests = [];
    this.#arena = undefined;
    this.#start = 0;
    this.#bytes = 0;
    this.dropped = 0;
  }

  #dropOldest(): void {
    this.#bytes -= this.#requests[this.#start]?.size ?? 0;
    this.#requests[this.#start] = undefined;
    this.#start += 1;
    this.dropped += 1;
    if (this.#start >= mostFree && this.#start * 2 >= this.#requests.length) {
      this.#requests = this.#requests.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Removes contents that have no room from a request: first its body, then that of its response. */
  #reduce(request: RawRequest, arena: RequestArena): KeptRequest {
    const alone = withoutContent(request);
    const kept = new KeptRequest(alone, arena);
    return kept.size > this.#maxBytes ? new KeptRequest(withoutBody(alone), arena) : kept;
  }
}
