/** The content of a message, kept as it passes as far as it is short enough. */
export class CapturedContent {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** @param limit - the most bytes that are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether more has passed than is kept; then nothing is. */
  get isTooLong(): boolean {
    return this.#length > this.#limit;
  }

  take(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.isTooLong) {
      this.#chunks = [];
      return;
    }
    this.#chunks.push(chunk);
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
