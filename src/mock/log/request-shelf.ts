/** Content that is larger is not copied. */
export const mostShelved = 4096;
const blockBytes = 4 * mostShelved;

/**
 * What the requests in a log share, so that there are few objects: the collector of garbage moves each that stays twice,
 * which costs more than all else that the log does.
 */
export class RequestShelf {
  /** What the times of requests are counted from, in milliseconds since 1970: small numbers are no objects. */
  readonly since: number;
  /** The block that the latest content went into. It goes when no request has its content there any more. */
  block: Uint8Array = new Uint8Array();
  #used = 0;
  #target = '';
  #fields = '';

  constructor(since: number) {
    this.since = since;
  }

  /**
   * Copies a content of at most {@link mostShelved} bytes behind those before it. What Node read from a socket stays as a
   * whole where a part of it is kept.
   *
   * @returns where in {@link block} it begins
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
    if (target !== this.#target) {
      this.#target = target;
    }
    return this.#target;
  }

  /** The fields of the request before where they are the same text: a client most often sends the same ones. */
  shareFields(fields: string): string {
    if (fields !== this.#fields) {
      this.#fields = fields;
    }
    return this.#fields;
  }
}
