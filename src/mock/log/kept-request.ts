import type { AnswerNote, MockAnswer } from '../steps/mock-answer.ts';
import type { RequestContent } from '../steps/request-head.ts';
import type { LogContext, RawRequest } from './raw-request.ts';
import { mostShelved, type RequestShelf } from './request-shelf.ts';

/** What a request takes besides its texts and bytes, estimated on Node 20. */
const requestOverhead = 300;

/** No field holds it (RFC 9110 §5.5). */
const separator = '\0';

function lengthOf(content: RequestContent | 'not-read'): number {
  return content === undefined || typeof content === 'string' ? 0 : content.length;
}

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
  readonly #shelf: RequestShelf;
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
  readonly #body: MockAnswer['body'];
  readonly #note: AnswerNote;

  constructor(request: RawRequest, shelf: RequestShelf) {
    const { target, content, answer } = request;
    const { headers, body, note } = answer;
    this.id = request.id;
    this.#shelf = shelf;
    this.#offset = request.time - shelf.since;
    this.#duration = Math.round(request.durationMs * 1000);
    this.method = request.method;
    this.target = shelf.shareTarget(target);
    this.leftOut = request.leftOut;
    this.context = request.context;
    this.#fields = shelf.shareFields(request.fields.join(separator));
    this.#length = lengthOf(content);
    if (content === undefined || typeof content === 'string' || content.length > mostShelved) {
      this.#block = content;
      this.#start = 0;
    } else {
      this.#start = shelf.put(content);
      this.#block = shelf.block;
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

  get answer(): MockAnswer {
    return { status: this.#status, headers: this.#headers, body: this.#body, note: this.#note };
  }
}
