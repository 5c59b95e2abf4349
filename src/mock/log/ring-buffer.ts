import type { Contract } from '../../contract/contract.ts';
import type { AnswerNote, LoggedRequest, MockResponse, RequestContent } from '../message.ts';

const encoder = new TextEncoder();

/** How many bytes a content has, a text in UTF-8. */
export function bytesOf(content: string | Uint8Array | undefined): number {
  return typeof content === 'string' ? encoder.encode(content).length : (content?.length ?? 0);
}

/** What the requests under one contract are read by. */
export interface LogContext {
  readonly contract: Contract;
  /** What must not be shown wherever it stands. */
  readonly tokens: readonly string[];
}

/** A request as the log stores it: as it came, so that storing is cheap. Readers of the log pay for the rest. */
export interface RawRequest extends Pick<LoggedRequest, 'time' | 'durationMs' | 'method' | 'target'> {
  /** 0 until the log has given it one. */
  id: number;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  /** `not-read` where the head decided the answer, and it did not come along. */
  readonly content: RequestContent | 'not-read';
  readonly answer: MockResponse;
  /** How many bytes there were of what is larger than the log, so that it was left out. */
  readonly leftOut: { readonly request?: number; readonly response?: number } | undefined;
  readonly context: LogContext;
}

/** Content that is larger is not copied. */
export const mostShelved = 4096;
const blockBytes = 4 * mostShelved;

/** What the requests of a log share. Few objects stay alive, as the garbage collector moves each of them twice. */
export class RequestArena {
  /** What the times of requests are counted from, in milliseconds since 1970: small numbers are no objects. */
  readonly since: number;
  /** The block that the latest content went into. It goes when no request has its content there any more. */
  block: Uint8Array = new Uint8Array();
  #used = 0;
  #target = '';
  #fields: readonly string[] = [];
  #text = '';

  constructor(since: number) {
    this.since = since;
  }

  /**
   * Copies a content of at most {@link mostShelved} bytes behind those before it, and says where in {@link block} it
   * begins. What Node read from a socket stays as a whole where a part of it is kept.
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

  /** The target of the request before where that is the same text. */
  shareTarget(target: string): string {
    if (target !== this.#target) this.#target = target;
    return this.#target;
  }

  /** The fields as one text: that of the request before if they are the same, as a client most often sends the same ones. */
  joinFields(fields: readonly string[]): string {
    const former = this.#fields;
    if (fields.length !== former.length || fields.some((field, index) => field !== former[index])) {
      this.#fields = fields;
      this.#text = fields.join(separator);
    }
    return this.#text;
  }
}

/** What a request takes besides its texts and bytes, estimated on Node 20. */
const requestOverhead = 300;

/** No field holds it (RFC 9110 §5.5). */
const separator = '\0';

/**
 * A request as the log keeps it: in as few objects as can be, since the collector of garbage moves each of them twice
 * before it lets them rest. The others are made when they are asked for.
 */
export class KeptRequest implements RawRequest {
  readonly id: number;
  readonly method: string;
  readonly target: string;
  readonly leftOut: RawRequest['leftOut'];
  readonly context: LogContext;
  /** About how many bytes of memory it takes. */
  readonly size: number;
  readonly #shelf: RequestArena;
  /** Milliseconds. */
  readonly #offset: number;
  /** Microseconds. */
  readonly #duration: number;
  readonly #fields: string;
  /** What its content stands in. */
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
    // What is wrong with a body is said when it is asked for, from the value that was read.
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

/** Room that is free at the front of the list is given back when there is this much of it. */
const mostFree = 1024;

function withoutContent(request: RawRequest): RawRequest {
  const { content, answer } = request;
  if (content === undefined || typeof content === 'string') return request;
  // What would be read from the content later is read now.
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

/** Requests in the order of their ids, bounded in bytes; `dropped`, `first` and `last` as in RequestLog. */
export class RequestRing {
  /** About how many bytes of memory they take together at most. */
  readonly #maxBytes: number;
  #requests: (KeptRequest | undefined)[] = [];
  #arena: RequestArena | undefined;
  /** Where the oldest one stands; its id is the difference to the next id. */
  #start = 0;
  #nextId = 1;
  #bytes = 0;
  #dropped = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Gives a request its id, and lets the oldest ones go where there is no room. */
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

  /** The oldest first. */
  list(): readonly RawRequest[] {
    return this.#requests.slice(this.#start).filter((request) => request !== undefined);
  }

  get dropped(): number {
    return this.#dropped;
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
    this.#dropped = 0;
  }

  #dropOldest(): void {
    this.#bytes -= this.#requests[this.#start]?.size ?? 0;
    this.#requests[this.#start] = undefined;
    this.#start += 1;
    this.#dropped += 1;
    if (this.#start >= mostFree && this.#start * 2 >= this.#requests.length) {
      this.#requests = this.#requests.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Leaves out of a request what has no room: its content first, and then that of its answer. */
  #reduce(request: RawRequest, arena: RequestArena): KeptRequest {
    const alone = withoutContent(request);
    const kept = new KeptRequest(alone, arena);
    return kept.size > this.#maxBytes ? new KeptRequest(withoutBody(alone), arena) : kept;
  }
}
